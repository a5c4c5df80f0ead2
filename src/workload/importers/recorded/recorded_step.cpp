#include "workload/importers/recorded/recorded_step.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard {

std::string recorded_place(const std::string& file, const std::string& unit, std::int64_t number) {
  const std::string text = std::to_string(number);
  return unit == "line" ? file + ":" + text : file + ": " + unit + " " + text;
}

std::string RecordedStep::place_of(const RecordedRank& rank, std::size_t operation) const {
  return recorded_place(rank.file, unit, rank.operations[operation].place);
}

void write_for_all(RecordedStep& step, JobProgram job, const std::string& file,
                   std::vector<RecordedOperation> operations) {
  Program program;
  program.operations.reserve(operations.size());
  for (const RecordedOperation& recorded : operations)
    program.operations.push_back(recorded.operation);
  job.programs = {std::move(program)};
  step.ranks.resize(job.ranks.size());
  for (RecordedRank& rank : step.ranks) rank.file = file;
  step.ranks.front().operations = std::move(operations);
  step.written = std::move(job);
}

int RecordedGroups::of(const std::string& name, const std::vector<int>& ranks) {
  const auto [found, fresh] =
      by_ranks_.insert({{name, ranks}, static_cast<int>(step_.groups.size())});
  if (fresh) step_.groups.push_back({name, ranks});
  return found->second;
}

int RecordedGroups::transfer(int from, int to, std::int64_t tag) {
  const auto [found, fresh] =
      by_ends_.insert({{from, to, tag}, static_cast<int>(step_.groups.size())});
  if (fresh)
    step_.groups.push_back(
        {std::to_string(from) + "->" + std::to_string(to), {from, to}, tag, true});
  return found->second;
}

Dimension dimension_named(const std::string& name) {
  std::string text = name;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto says = [&](const char* word, const char* abbreviation) {
    if (text.find(word) != std::string::npos) return true;
    const std::size_t at = text.find(abbreviation);
    if (at == std::string::npos) return false;
    const auto letter = [&](std::size_t i) {
      return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
    };
    return !letter(at + 2) && (at == 0 || !letter(at - 1));
  };
  if (says("tensor", "tp")) return Dimension::Tensor;
  if (says("expert", "ep")) return Dimension::Expert;
  if (says("context", "cp")) return Dimension::Context;
  if (says("pipeline", "pp")) return Dimension::Pipeline;
  if (says("data", "dp")) return Dimension::Data;
  return Dimension::Other;
}

}  // namespace trainyard
