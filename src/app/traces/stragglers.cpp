// `trainyard trace stragglers`: what stragglers cost a recorded job, by replay.

#include "app/commands.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "report/writers/csv.hpp"
#include "study/whatif/straggler_analysis.hpp"

#include <algorithm>
#include <iostream>

namespace trainyard {

namespace {

constexpr int kDecimals = 5;
constexpr std::size_t kShownWorkers = 10;

void print_summary(const StragglerTimeline& timeline, const StragglerAnalysis& analysis) {
  std::cout << counted(static_cast<std::int64_t>(timeline.steps.size()), "step") << " of "
            << counted(timeline.dp_ranks, "data rank") << " x " << counted(timeline.stages, "stage")
            << ", " << counted(static_cast<std::int64_t>(timeline.operations.size()), "operation")
            << "\n\n";
  Table table({{"replayed", Align::Left}, {"mean step (s)", Align::Right}, {"", Align::Left}});
  table.add({"as recorded", fixed(in_seconds(analysis.original), kDecimals),
             "own durations, no launch delays"});
  table.add({"ideal", fixed(in_seconds(analysis.ideal), kDecimals),
             "every duration as its type's mean (transfers: median)"});
  std::cout << table.text() << '\n';
  Table figures({{"", Align::Left}, {"", Align::Right}, {"", Align::Left}});
  figures.add({"S", fixed(analysis.slowdown, kDecimals), "as recorded / ideal"});
  figures.add({"M_W", fixed(analysis.worst_ranks, kDecimals),
               "of the slowdown goes with the " +
                   counted(static_cast<std::int64_t>(analysis.worst), "slowest rank")});
  figures.add({"M_S", fixed(analysis.last_stage, kDecimals),
               "of the slowdown goes with the last stage, " + std::to_string(timeline.stages - 1)});
  std::cout << figures.text().substr(1) << '\n';  // its header is an empty line
}

void print_parts(const StragglerAnalysis& analysis) {
  Table table({{"alone as recorded, the rest ideal", Align::Left}, {"slowdown", Align::Right}});
  for (const auto* parts : {&analysis.by_data_rank, &analysis.by_stage, &analysis.by_type})
    for (const StragglerPart& part : *parts)
      table.add({part.name, fixed(part.slowdown, kDecimals)});
  std::cout << table.text() << '\n';
}

void print_workers(const StragglerAnalysis& analysis) {
  Table table({{"slowest ranks", Align::Right},
               {"data rank", Align::Right},
               {"stage", Align::Right},
               {"slowdown", Align::Right}});
  for (std::size_t i = 0; i < std::min(kShownWorkers, analysis.workers.size()); ++i) {
    const StragglerWorker& worker = analysis.workers[i];
    table.add({std::to_string(worker.rank), std::to_string(worker.dp_rank),
               std::to_string(worker.stage), fixed(worker.slowdown, kDecimals)});
  }
  std::cout << table.text();
}

void write_steps(const StragglerTimeline& timeline, const StragglerAnalysis& analysis,
                 std::ostream& out) {
  out << "step,slowdown\n";
  for (std::size_t s = 0; s < timeline.steps.size(); ++s)
    CsvLine(out).integer(timeline.steps[s]).number(analysis.step_slowdown[s]).end();
}

}  // namespace

void trace_stragglers_command(const TraceStragglersOptions& options) {
  const StragglerTimeline timeline = read_straggler_timeline(options.file);
  const StragglerAnalysis analysis = analyse_stragglers(timeline, options.file);
  print_summary(timeline, analysis);
  print_parts(analysis);
  print_workers(analysis);
  if (!options.csv.empty())
    write_file_whole(options.csv, [&](std::ostream& out) { write_steps(timeline, analysis, out); });
}

}  // namespace trainyard
