#include "workload/importers/jobs/throughputs.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/section.hpp"

#include <nlohmann/json.hpp>
#include <vector>

namespace trainyard {

namespace {

// "('ResNet-18 (batch size 16)', 4)"
std::optional<std::pair<std::string, int>> parse_key(const std::string& key) {
  const std::size_t end = key.rfind("', ");
  if (key.rfind("('", 0) != 0 || end == std::string::npos || key.back() != ')') return std::nullopt;
  const auto gpus = parse_integer(key.substr(end + 3, key.size() - end - 4));
  if (!gpus || *gpus < 1) return std::nullopt;
  return std::make_pair(key.substr(2, end - 2), static_cast<int>(*gpus));
}

}  // namespace

Throughputs::Throughputs(const std::string& file, const std::string& worker) {
  const auto table = nlohmann::json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (!table.is_object()) throw InputError({file}, "", "must be a JSON object by kind of GPU");
  if (!table.contains(worker)) {
    std::vector<std::string> known;
    for (const auto& [name, rows] : table.items()) known.push_back(name);
    throw InputError({file}, "", "has no kind of GPU '" + worker + "'" + suggestion(worker, known));
  }
  for (const auto& [name, row] : table[worker].items()) {
    const auto key = parse_key(name);
    if (!key)
      throw InputError({file}, worker, "'" + printable(name) + "' must be like ('type', GPUs)");
    if (!row.is_object() || !row.contains("null") || !row["null"].is_number())
      throw InputError({file}, worker + "." + name, "has no number under 'null'");
    measured_[*key] = row["null"].get<double>();
  }
}

std::optional<double> Throughputs::steps_per_second(const std::string& job_type, int gpus) const {
  const auto found = measured_.find({job_type, gpus});
  if (found == measured_.end() || !(found->second > 0)) return std::nullopt;
  return found->second;
}

}  // namespace trainyard
