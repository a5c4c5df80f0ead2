// `trainyard trace show` and `trainyard trace lint`: what a recorded step holds, and what is wrong
// with it.

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/recorded/summary.hpp"
#include "workload/importers/trace_formats.hpp"

#include <algorithm>
#include <iostream>
#include <map>

namespace trainyard {

namespace {

using Severity = LintFinding::Severity;

constexpr std::size_t kShownOfARule = 10;

RecordedStep read(const TraceOptions& options) {
  RecordedOptions recorded;
  recorded.files = options.files;
  recorded.ranks = options.ranks;
  recorded.groups = options.groups;
  RecordedStep step = read_recorded(recorded, options.format);
  if (options.alike) fill_alike(step);
  return step;
}

std::string milliseconds_of(Seconds time) { return fixed(in_milliseconds(time), 3); }

// "0-7, 9": the ranks that run the program.
std::string ranks_of(const JobProgram& job, int program) {
  std::vector<std::string> parts;
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    if (job.ranks[r].program != program) continue;
    const std::size_t begin = r;
    while (r + 1 < job.ranks.size() && job.ranks[r + 1].program == program) ++r;
    parts.push_back(begin == r ? std::to_string(r)
                               : std::to_string(begin) + "-" + std::to_string(r));
  }
  constexpr std::size_t kShown = 3;
  if (parts.size() > kShown) {
    parts.resize(kShown);
    parts.emplace_back("...");
  }
  return join(parts);
}

const RecordedRank& first_rank_of(const RecordedStep& step, const JobProgram& job, int program) {
  std::size_t rank = 0;
  while (job.ranks[rank].program != program) ++rank;
  return step.ranks[rank];
}

void print_programs(const RecordedStep& step, const JobProgram& job) {
  constexpr int kShown = 16;
  Table table({{"ranks", Align::Left},
               {"computations", Align::Right},
               {"compute (ms)", Align::Right},
               {"launch gaps (ms)", Align::Right},
               {"communications", Align::Right},
               {"recorded (ms)", Align::Right},
               {"step (ms)", Align::Right},
               {"idle (ms)", Align::Right}});
  const int count = static_cast<int>(job.programs.size());
  for (int program = 0; program < std::min(kShown, count); ++program) {
    const RecordedRank& rank = first_rank_of(step, job, program);
    if (rank.file.empty()) {
      table.add({ranks_of(job, program), "no file"});
      continue;
    }
    const RankSummary summary = summary_of(rank);
    const auto recorded = [&](Seconds time) {
      return summary.span > seconds(0) ? milliseconds_of(time) : std::string("-");
    };
    table.add({ranks_of(job, program), std::to_string(summary.computations),
               milliseconds_of(summary.compute), milliseconds_of(summary.launch_gaps),
               std::to_string(summary.communications), recorded(summary.communication),
               recorded(summary.span), recorded(summary.idle)});
  }
  std::cout << table.text();
  if (count > kShown) std::cout << "and " << counted(count - kShown, "program") << " more\n";
}

void print_traffic(const JobProgram& job) {
  Table table({{"group", Align::Left},
               {"groups", Align::Right},
               {"of ranks", Align::Right},
               {"collective", Align::Left},
               {"count", Align::Right},
               {"bytes", Align::Right}});
  const std::vector<Traffic> all = traffic_of(job);
  for (const Traffic& traffic : all)
    table.add({traffic.slot, std::to_string(traffic.groups), std::to_string(traffic.ranks),
               to_string(traffic.kind), std::to_string(traffic.count),
               std::to_string(traffic.bytes.count())});
  if (!all.empty()) std::cout << '\n' << table.text();
}

void print_launch_bound(const RecordedStep& step) {
  for (std::size_t r = 0; r < step.ranks.size(); ++r) {
    const RankSummary rank = summary_of(step.ranks[r]);
    if (!rank.launch_bound()) continue;
    std::cout << "rank " << r << " is launch-bound: its GPU stands idle "
              << fixed(100 * (rank.idle / rank.span), 1)
              << " % of the step, waiting for the CPU to launch\n";
    return;
  }
}

// Whether there is an error.
bool print_findings(const std::vector<LintFinding>& findings) {
  bool errors = false;
  std::map<std::string, std::size_t> printed, left;
  for (const LintFinding& finding : findings) {
    errors = errors || finding.severity == Severity::Error;
    if (++printed[finding.rule] > kShownOfARule) {
      ++left[finding.rule];
      continue;
    }
    std::cout << finding.place << ": "
              << (finding.severity == Severity::Error ? "error: " : "warning: ") << finding.rule
              << ": " << printable(finding.problem, 400) << '\n';
  }
  for (const auto& [rule, count] : left) std::cout << "and " << count << " more: " << rule << '\n';
  return errors;
}

}  // namespace

void trace_show_command(const TraceOptions& options) {
  const RecordedStep step = read(options);
  const JobProgram job = assemble(step);
  std::cout << step.format << ": " << counted(static_cast<std::int64_t>(job.ranks.size()), "rank")
            << ", " << counted(static_cast<std::int64_t>(job.programs.size()), "program") << ", "
            << counted(static_cast<std::int64_t>(job.groups.size()), "group") << '\n';
  for (const std::string& note : step.notes) std::cout << "  " << note << '\n';
  std::cout << '\n';
  print_programs(step, job);
  print_traffic(job);
  print_launch_bound(step);
}

void trace_lint_command(const TraceOptions& options) {
  const RecordedStep step = read(options);
  const std::vector<LintFinding> findings = lint_recorded(step, assemble(step));
  for (const std::string& note : step.notes) std::cout << "note: " << note << '\n';
  if (print_findings(findings)) {
    const auto errors = std::count_if(findings.begin(), findings.end(), [](const LintFinding& f) {
      return f.severity == Severity::Error;
    });
    throw InputError({options.files.front()}, "", counted(errors, "error"));
  }
  std::cout << "no errors in " << counted(static_cast<std::int64_t>(step.ranks.size()), "rank")
            << '\n';
}

}  // namespace trainyard
