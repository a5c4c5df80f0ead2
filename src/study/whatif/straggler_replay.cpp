#include "study/whatif/straggler_replay.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// When each lot of the task starts.
std::vector<double> starts(const StragglerGraph& graph, const StragglerGraph::Task& task,
                           const StragglerDurations& ends, std::size_t data_ranks) {
  std::vector<double> start(ends.lots(), 0);
  for (const int member : task.members)
    for (const int before : graph.after[static_cast<std::size_t>(member)])
      for (std::size_t lot = 0; lot < start.size(); ++lot)
        start[lot] = std::max(start[lot], ends.at(static_cast<std::size_t>(before), lot));
  if (task.across_data_ranks)
    for (auto step = start.begin(); step != start.end(); step += static_cast<long>(data_ranks)) {
      const auto next = step + static_cast<long>(data_ranks);
      std::fill(step, next, *std::max_element(step, next));
    }
  return start;
}

}  // namespace

std::vector<StepEnds> replay(const StragglerGraph& graph, const StragglerDurations& durations,
                             int data_ranks) {
  const auto ranks = static_cast<std::size_t>(data_ranks);
  StragglerDurations ends(graph.operations.size(), durations.lots());
  std::vector<StepEnds> steps(durations.lots() / ranks);
  bool optimizer = false;
  for (const StragglerGraph::Task& task : graph.tasks) {
    const std::vector<double> start = starts(graph, task, ends, ranks);
    for (const int member : task.members) {
      const auto m = static_cast<std::size_t>(member);
      const bool is_optimizer = graph.operations[m].type == StragglerOp::Optimizer;
      optimizer = optimizer || is_optimizer;
      for (std::size_t lot = 0; lot < start.size(); ++lot) {
        const double end = ends.at(m, lot) = start[lot] + durations.at(m, lot);
        StepEnds& step = steps[lot / ranks];
        step.last = std::max(step.last, end);
        if (is_optimizer) step.optimizer = std::max(step.optimizer, end);
      }
    }
  }
  if (!optimizer)
    for (StepEnds& step : steps) step.optimizer = step.last;
  return steps;
}

}  // namespace trainyard
