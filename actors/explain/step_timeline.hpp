// One step of a job, operation by operation: what its explanation and its timeline are made from.
#pragma once

#include "actors/machine.hpp"
#include "actors/step_model.hpp"

#include <vector>

namespace trainyard {

// Seconds since the ranks began to train.
struct OperationTimes {
  double began = 0;    // a delay: when it starts; a collective: when the rank came to it
  double started = 0;  // a collective: when the last rank came; a delay: `began`
  double ended = 0;
  int last_class = -1;  // a collective: who came last
};

struct StepTimeline {
  double step = 0;                 // the time of one step: between two ends of the slowest class
  std::vector<double> start, end;  // of the recorded step, by class
  std::vector<std::vector<OperationTimes>> operations;  // by class, as in the model
};

// The third step without neighbours; the two before let unequal ranks fall into step.
// Throws SimulationError with the circle of ranks that wait for each other if the program cannot
// proceed.
StepTimeline isolated_timeline(const StepModel& model, const Machine& machine);

}  // namespace trainyard
