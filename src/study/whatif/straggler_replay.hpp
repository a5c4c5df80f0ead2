// Plays a StragglerGraph with given durations, for all steps and data ranks: a list schedule.
//
// A task starts when all that its members wait for has ended, in every data rank if it is one of
// data parallelism; each member then takes its own duration. Launch delays are left out.
#pragma once

#include "study/whatif/straggler_graph.hpp"

#include <vector>

namespace trainyard {

// By operation of the graph and lot (a step of a data rank: step * data ranks + data rank).
class StragglerDurations {
public:
  StragglerDurations(std::size_t operations, std::size_t lots)
      : lots_(lots), values_(operations * lots) {}
  double& at(std::size_t operation, std::size_t lot) { return values_[operation * lots_ + lot]; }
  double at(std::size_t operation, std::size_t lot) const {
    return values_[operation * lots_ + lot];
  }
  std::size_t lots() const { return lots_; }

private:
  std::size_t lots_;
  std::vector<double> values_;  // seconds
};

struct StepEnds {
  double last = 0;       // of any operation
  double optimizer = 0;  // of the optimizer; of any operation if there is none
};

// By step.
std::vector<StepEnds> replay(const StragglerGraph& graph, const StragglerDurations& durations,
                             int data_ranks);

}  // namespace trainyard
