#include "study/validation/simulated_sweep.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "study/validation/nccl_choice.hpp"

#include <cctype>

namespace trainyard {

namespace {

const AlgorithmEntry& algorithm_of(const Collective& collective, const Platform& platform,
                                   const Calibration& calibration, const std::string& name) {
  if (name.empty()) {
    const AlgorithmEntry& usual = usual_algorithm(collective, platform, calibration);
    if (usual.applies(collective)) return usual;
    throw InfeasibleError({}, "operation",
                          std::string(to_string(collective.kind)) + " does not apply to " +
                              std::to_string(collective.ranks) + " ranks");
  }
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithms())
    if (entry.kind == collective.kind) names.emplace_back(entry.name);
  const AlgorithmEntry* entry = find_algorithm(collective.kind, name);
  if (!entry)
    throw InputError({}, "algorithm", "unknown value '" + name + "'" + suggestion(name, names));
  if (!entry->applies(collective))
    throw InfeasibleError({}, "algorithm",
                          "'" + name + "' does not apply to " + std::to_string(collective.ranks) +
                              " ranks, " + std::to_string(collective.ranks_per_node) + " a node");
  return *entry;
}

}  // namespace

SimulatedRow simulate_row(CollectiveTimer& timer, const Calibration& calibration,
                          CollectiveKind kind, const std::string& algorithm, Bytes size) {
  const Collective collective = timer.collective(kind, size);
  const AlgorithmEntry& entry = algorithm_of(collective, timer.platform(), calibration, algorithm);
  SimulatedRow row;
  row.size = size;
  row.algorithm = entry.name;
  row.cost = timer.cost(kind, entry, size);
  const Uncalibrated& known = row.cost.known;
  const CollectiveLaw law = law_for(calibration, collective, entry.name, known);
  row.time = law_time(law, known.path, known.rounds, known.wire);
  const bool found = find_law(calibration, kind, entry.name, timer.nodes(), size) != nullptr;
  row.label = "assumed";
  if (found) row.label = is_inside(law, timer.nodes(), size) ? "calibrated" : "outside range";
  return row;
}

std::vector<Bytes> sweep_sizes(Bytes begin, Bytes end, int factor) {
  std::vector<Bytes> sizes;
  for (Bytes size = begin; size <= end; size = size * factor) {
    sizes.push_back(size);
    if (size > end / factor) break;
  }
  return sizes;
}

Bytes nccl_size(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0)
    ++digits;
  const auto number = parse_integer(text.substr(0, digits));
  const std::string unit = text.substr(digits);
  const std::string letters = "KMGT";
  std::size_t power = 0;
  if (!unit.empty()) {
    power = letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
    if (power == std::string::npos || unit.size() > 1) return {};
    ++power;
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  if (!number || *number <= 0 || *number > (kMost >> (10 * power))) return {};
  return bytes(*number << (10 * power));
}

}  // namespace trainyard
