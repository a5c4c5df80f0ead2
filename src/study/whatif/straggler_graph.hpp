// Which operation of a step waits for which: the rules of ByteDance's what-if analysis
// ("Understanding Stragglers in Large Model Training Using What-if Analysis"), applied to one step
// of one pipeline.
//
// Computations of a stage run one after another; transfers of a kind too. A computation waits for
// what it receives, a send for what it sends; a receive for the computation before the one that it
// feeds. Parameters are gathered before the first forward of their chunk. After the last backward
// come garbage collection, the gradients' reductions, clipping and the optimizer. Two ends of a
// transfer start together, so do both embeddings' reductions and all stages' clipping; operations
// of data parallelism start together in all data ranks.
//
// INVARIANT: a Task's members all appear in exactly one task; tasks are in an order in which
// everything that a task waits for comes before it.
#pragma once

#include "workload/importers/straggler/timeline.hpp"

#include <vector>

namespace trainyard {

struct StragglerGraph {
  // Operations that start together; each then takes its own time.
  struct Task {
    std::vector<int> members;
    bool across_data_ranks = false;
  };
  std::vector<TimelineOperation> operations;  // of the first step of data rank 0
  std::vector<std::vector<int>> after;        // by operation
  std::vector<Task> tasks;
};

// A timeline whose order of operations the rules cannot explain (receives without sends, a circle)
// is an InputError that names `file`.
StragglerGraph straggler_graph(const StragglerTimeline& timeline, const std::string& file);

}  // namespace trainyard
