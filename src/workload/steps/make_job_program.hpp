// From a model and its layout to what every rank of a job does in one step.
#pragma once

#include "workload/models/model_spec.hpp"
#include "workload/steps/job_program.hpp"
#include "workload/steps/kernel.hpp"
#include "workload/steps/layout.hpp"

namespace trainyard {

// One program a pipeline stage. Throws InfeasibleError where model, layout and GPUs contradict each
// other.
JobProgram make_job_program(const ModelSpec& model, const Layout& layout, int gpus,
                            const KernelTimes& times);

}  // namespace trainyard
