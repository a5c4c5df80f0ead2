// `trainyard trace show` and `trainyard trace lint`: what a recorded step holds, and what is wrong
// with it.

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
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

void print_ranks(const RecordedStep& step) {
  constexpr std::size_t kShown = 16;
  Table table({{"rank", Align::Right},
               {"computations", Align::Right},
               {"compute (ms)", Align::Right},
               {"communications", Align::Right},
               {"wire (ms)", Align::Right},
               {"launch gaps (ms)", Align::Right},
               {"step (ms)", Align::Right}});
  for (std::size_t r = 0; r < std::min(kShown, step.ranks.size()); ++r) {
    if (step.ranks[r].file.empty()) {
      table.add({std::to_string(r), "(no file)"});
      continue;
    }
    const RankSummary rank = summary_of(step.ranks[r]);
    table.add({std::to_string(r), std::to_string(rank.computations), milliseconds_of(rank.compute),
               std::to_string(rank.communications), milliseconds_of(rank.communication),
               milliseconds_of(rank.launch_gaps), milliseconds_of(rank.span)});
  }
  std::cout << table.text();
  if (step.ranks.size() > kShown)
    std::cout << "and " << counted(static_cast<std::int64_t>(step.ranks.size() - kShown), "rank")
              << " more\n";
}

void print_traffic(const RecordedStep& step) {
  Table table({{"group", Align::Left},
               {"ranks", Align::Right},
               {"collective", Align::Left},
               {"count", Align::Right},
               {"bytes", Align::Right}});
  for (const Traffic& traffic : traffic_of(step))
    table.add({traffic.group, std::to_string(traffic.ranks), to_string(traffic.kind),
               std::to_string(traffic.count), std::to_string(traffic.bytes.count())});
  std::cout << '\n' << table.text();
}

void print_launch_bound(const RecordedStep& step) {
  for (std::size_t r = 0; r < step.ranks.size(); ++r) {
    const RankSummary rank = summary_of(step.ranks[r]);
    if (!rank.launch_bound()) continue;
    std::cout << "rank " << r << " is launch-bound: its GPU waits "
              << fixed(100 * (rank.launch_gaps / rank.span), 1)
              << " % of the step for the CPU to launch\n";
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
  print_ranks(step);
  print_traffic(step);
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
