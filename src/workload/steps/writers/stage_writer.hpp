// StageWriter: the program of one pipeline stage, pass by pass in the order of its schedule.
#pragma once

#include "workload/steps/pipeline/schedule.hpp"
#include "workload/steps/writers/block_writer.hpp"
#include "workload/steps/writers/data_writer.hpp"

#include <vector>

namespace trainyard {

// What is the same for all stages.
struct StepPlan {
  const BlockSizes& sizes;
  const ModelBlocks& blocks;
  const Slots& slots;
};

// `in_group`: by slot, whether the stage's ranks are in a group with others.
Program stage_program(const StepPlan& plan, int stage, const std::vector<bool>& in_group);

}  // namespace trainyard
