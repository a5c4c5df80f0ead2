// The order of tasks: what is waited for comes first.

#include "study/whatif/straggler_graph_maker.hpp"

#include <algorithm>

namespace trainyard {

// Kahn's algorithm over tasks.
void StragglerGraphMaker::order_tasks() {
  std::vector<std::size_t> task_of(graph_.operations.size());
  for (std::size_t t = 0; t < graph_.tasks.size(); ++t)
    for (const int member : graph_.tasks[t].members) task_of[static_cast<std::size_t>(member)] = t;
  std::vector<std::vector<std::size_t>> followers(graph_.tasks.size());
  std::vector<std::size_t> missing(graph_.tasks.size(), 0);
  for (std::size_t i = 0; i < graph_.after.size(); ++i)
    for (const int before : graph_.after[i]) {
      followers[task_of[static_cast<std::size_t>(before)]].push_back(task_of[i]);
      ++missing[task_of[i]];
    }
  std::vector<std::size_t> ready;
  for (std::size_t t = 0; t < missing.size(); ++t)
    if (missing[t] == 0) ready.push_back(t);
  std::vector<StragglerGraph::Task> ordered;
  for (std::size_t next = 0; next < ready.size(); ++next) {
    ordered.push_back(graph_.tasks[ready[next]]);
    for (const std::size_t follower : followers[ready[next]])
      if (--missing[follower] == 0) ready.push_back(follower);
  }
  if (ordered.size() < graph_.tasks.size()) {
    const auto stuck = std::find_if(missing.begin(), missing.end(), [](auto m) { return m > 0; });
    const int member =
        graph_.tasks[static_cast<std::size_t>(stuck - missing.begin())].members.front();
    fail(operation(member).stage, std::string("the order of operations waits for itself, at ") +
                                      to_string(operation(member).type) + " " +
                                      std::to_string(operation(member).sequence));
  }
  graph_.tasks = std::move(ordered);
}

}  // namespace trainyard
