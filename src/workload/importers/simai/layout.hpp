// Who is in which group when a file says only how many: Megatron's order, tensor fastest, then
// data, then pipeline; experts are neighbours among the data ranks.
#pragma once

#include "workload/steps/job_program.hpp"

#include <string>

namespace trainyard {

struct ParallelSizes {
  int tensor = 1, expert = 1, pipeline = 1;
  int ranks = 1;

  int data() const { return ranks / (tensor * pipeline); }
};

// Slots of a job laid out like this.
enum LaidOut : int { TensorSlot, DataSlot, ExpertSlot, DataInExpertSlot, LaidOutSlots };

// Ranks in all their groups, without programs. The sizes must divide each other.
JobProgram laid_out(const ParallelSizes& sizes);

// Why the sizes cannot be laid out; "" if they can.
std::string unfit(const ParallelSizes& sizes);

}  // namespace trainyard
