// The linter's findings told by places in the files, and what only the record shows.

#include "base/text.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/lint/lint.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

using Severity = LintFinding::Severity;

// Profilers round to a microsecond, start and end each.
constexpr Seconds kRounding = microseconds(2);

// On one stream a kernel starts after the one before it has ended.
void check_overlap(const RecordedStep& step, const RecordedRank& rank,
                   std::vector<LintFinding>& findings) {
  std::map<int, std::size_t> latest;  // by stream: the operation that ends last so far
  for (std::size_t i = 0; i < rank.operations.size(); ++i) {
    const RecordedOperation& o = rank.operations[i];
    if (o.start == seconds(0) && o.duration == seconds(0)) continue;
    const auto [before, fresh] = latest.insert({o.operation.stream, i});
    if (fresh) continue;
    const RecordedOperation& other = rank.operations[before->second];
    if (o.start + kRounding < other.start + other.duration)
      findings.push_back({Severity::Error, "unordered kernels", step.place_of(rank, i),
                          "starts " +
                              fixed(in_microseconds(other.start + other.duration - o.start), 3) +
                              " us before the end of the kernel before it on its stream (" +
                              step.unit + " " + std::to_string(other.place) + ")"});
    if (other.start + other.duration < o.start + o.duration) before->second = i;
  }
}

}  // namespace

std::vector<LintFinding> lint_recorded(const RecordedStep& step, const JobProgram& job) {
  std::vector<LintFinding> findings = step.findings;
  const std::vector<LintFinding> found = lint(job, [&](int rank, int operation) {
    // Of ranks that share a program, the first is asked where its operations stand.
    const int program = job.ranks[static_cast<std::size_t>(rank)].program;
    const auto first = std::find_if(job.ranks.begin(), job.ranks.end(),
                                    [&](const RankRole& role) { return role.program == program; });
    const RecordedRank& recorded =
        step.ranks[step.written ? static_cast<std::size_t>(first - job.ranks.begin())
                                : static_cast<std::size_t>(rank)];
    return step.place_of(recorded, static_cast<std::size_t>(operation));
  });
  findings.insert(findings.end(), found.begin(), found.end());
  for (const RecordedRank& rank : step.ranks) check_overlap(step, rank, findings);
  return findings;
}

}  // namespace trainyard
