// What a stage does after its last backward pass: the rest of its gradients, and the optimizer.
#pragma once

#include "workload/steps/writers/stage_writer.hpp"

#include <vector>

namespace trainyard {

// `chunks`: the units that the stage holds.
void finish_step(ProgramWriter& writer, const StepPlan& plan,
                 const std::vector<std::vector<Unit>>& chunks, DataWriter& data);

}  // namespace trainyard
