// `trainyard check`: read the experiment, and every point of its sweep; print it as understood.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "app/points.hpp"

#include <iostream>

namespace trainyard {

namespace {

// The resolved experiment, and as comments what it holds: the output is an experiment again.
void print(const Document& document, const Experiment& experiment) {
  std::cout << document.resolved() << "# " << experiment.jobs.size()
            << (experiment.jobs.size() == 1 ? " job on " : " jobs on ")
            << experiment.platform.gpu_count() << " GPUs of " << experiment.platform.name << '\n';
  for (const auto& [what, count] : experiment.counts)
    if (count > 0) std::cout << "# " << what << ": " << count << '\n';
}

}  // namespace

void check_command(const RunOptions& options) {
  Document document = load_document(options);
  const std::vector<SweepPoint> points = take_sweep(document);
  if (!points.empty()) {
    check_points(document, options, points);
    settle(document, points.front());
  }
  Simulation simulation;
  const Experiment experiment = read(document, options, simulation);
  print(document, experiment);
  if (!points.empty()) std::cout << "# the first of " << points.size() << " points of a sweep:\n";
  for (std::size_t i = 0; i < points.size(); ++i)
    std::cout << "#   " << points[i].directory(i) << '\n';
}

}  // namespace trainyard
