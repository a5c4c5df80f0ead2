// From the kernels of one rank's step to operations: what waits for what, and launch gaps.
#pragma once

#include "workload/importers/kineto/profile.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

#include <vector>

namespace trainyard {

// What a kernel of NCCL's is among the job's communication; nothing if the profile does not tell.
struct KinetoMeaning {
  CollectiveKind kind = CollectiveKind::AllReduce;
  Bytes size;
  int group = 0;  // of the step
};
using KinetoMeanings = std::vector<std::optional<KinetoMeaning>>;  // by kernel

// `kernels` by start. Times are counted from `origin_us`.
std::vector<RecordedOperation> operations_of(const std::vector<KinetoKernel>& kernels,
                                             const KinetoMeanings& meanings, double origin_us);

}  // namespace trainyard
