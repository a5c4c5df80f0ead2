#include "workload/steps/parallel_plan.hpp"

#include "workload/steps/make_job_program.hpp"
#include "workload/steps/memory/memory.hpp"

#include <algorithm>

namespace trainyard {

std::shared_ptr<const JobProgram> ParallelPlan::make_program(int gpus) const {
  if (memory > Bytes()) check_memory(model, layout, gpus, memory);
  return std::make_shared<const JobProgram>(make_job_program(model, layout, gpus, *times));
}

Bytes ParallelPlan::memory_used(int gpus) const {
  Bytes most;
  for (const StageMemory& stage : memory_by_stage(model, layout, gpus))
    most = std::max(most, stage.total());
  return most;
}

// Tensor groups wider than a node take whole nodes.
int ParallelPlan::gpus_per_block(int gpus, int gpus_per_node) const {
  int block = std::max(1, std::min({layout.tensor, gpus, gpus_per_node}));
  while (gpus % block != 0) --block;
  return block;
}

}  // namespace trainyard
