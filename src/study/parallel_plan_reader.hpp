// A plan given as a model and its layout.
#pragma once

#include "config/section.hpp"
#include "platforms/platform.hpp"
#include "workload/steps/parallel_plan.hpp"

#include <functional>
#include <memory>
#include <string>

namespace trainyard {

// A path in an experiment, made to mean the same from anywhere.
using PathResolver = std::function<std::string(const std::string&)>;

// {model: file.yaml, or the model itself; layout: {..}; gpu?: the platform's; efficiency?:
//  calibration.csv; profile?: kernels.csv; check_memory?: on; overlap_cost?: on}. Finishes the
// section. A platform that does not say its GPU needs `gpu`, one of `trainyard list`.
std::shared_ptr<ParallelPlan> read_parallel_plan(Section& section, const Platform& platform,
                                                 const PathResolver& resolve);

}  // namespace trainyard
