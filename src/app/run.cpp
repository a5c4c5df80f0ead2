// `trainyard run`: read the experiment, simulate it (or every point of its sweep), write it down,
// answer.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "app/points.hpp"
#include "report/answer.hpp"
#include "report/group_table.hpp"
#include "report/progress.hpp"
#include "report/staged_directory.hpp"
#include "study/child_runs.hpp"
#include "study/simulate.hpp"

#include <iostream>
#include <unistd.h>

namespace trainyard {

namespace {

struct PointResult {
  AnswerRow row;           // of the answer
  std::string unverified;  // rules that no recorded decision covers; "": none
  std::string groups;      // how groups of its jobs fared; "": there is one of each kind
};

// Simulates and writes one point.
PointResult run_point(Document& document, const RunOptions& options, const std::string& output,
                      bool live) {
  Simulation simulation;
  const Experiment experiment = read(document, options, simulation);
  const WriteOptions write{options.replace, experiment.timeline};
  check_destination(output, write);
  Progress progress(live, static_cast<std::int64_t>(experiment.jobs.size()));
  const EventLog log =
      simulate(experiment, simulation,
               [&progress](Seconds now, std::int64_t done) { progress.update(now, done); });
  progress.finish();
  const RunInfo info = describe_run(experiment, log, simulation, document.resolved());
  const HeldSignals whole_or_not_at_all;
  write_results(experiment.platform, log, info, output, write);
  const auto rules = info.facts.find("unverified rules of Slurm");
  return {{experiment.policy + " " + experiment.placement, metric_values(experiment.platform, log)},
          rules == info.facts.end() || rules->second == "none" ? "" : rules->second,
          group_table(experiment.platform, log)};
}

// Without a sweep.
AnswerRow run_alone(Document& document, const RunOptions& options, const std::string& output,
                    bool live) {
  PointResult result = run_point(document, options, output, live);
  if (!result.unverified.empty()) std::cout << "unverified: " << result.unverified << '\n';
  if (!result.groups.empty()) std::cout << result.groups << '\n';
  return std::move(result.row);
}

struct Sweep {
  std::string experiment;  // as it was asked for, to be run again from anywhere
  std::vector<SweepPoint> points;
};

// All points or nothing.
std::vector<AnswerRow> run_sweep(Document& document, const RunOptions& options, const Sweep& sweep,
                                 const std::string& output, bool live) {
  const std::vector<SweepPoint>& points = sweep.points;
  check_destination(output, {options.replace, true});
  check_points(document, options, points);
  StagedDirectory staged(output, "sweep");
  const auto place = [&](std::size_t point) {
    return (staged.partial() / "runs" / points[point].directory(point)).string();
  };
  for_each_point(document, options, points, live, [&](std::size_t point) {
    run_point(document, options, place(point), /*live=*/false);
  });
  const HeldSignals whole_or_not_at_all;
  std::vector<AnswerRow> rows;
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.push_back({points[i].label(), read_summary(place(i))});
  write_sweep_summary(rows, staged.partial().string());
  staged.write("experiment.yaml", [&](std::ostream& out) { out << sweep.experiment; });
  staged.commit();
  return rows;
}

}  // namespace

void run_command(const RunOptions& options) {
  Document document = load_document(options);
  anchor(document, options.experiment);
  Sweep sweep{document.text(), {}};
  sweep.points = take_sweep(document);
  const std::string output = output_of(document, options);
  const bool live = !options.quiet && isatty(STDERR_FILENO) != 0;
  const std::string question = document.root().text_or("question", "");
  if (!question.empty()) std::cout << question << '\n' << std::flush;
  const std::vector<AnswerRow> rows =
      sweep.points.empty() ? std::vector<AnswerRow>{run_alone(document, options, output, live)}
                           : run_sweep(document, options, sweep, output, live);
  std::cout << answer_table(rows) << "results: " << output << '\n';
}

}  // namespace trainyard
