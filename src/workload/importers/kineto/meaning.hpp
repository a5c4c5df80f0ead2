// What NCCL's kernels of a profile mean: which collective, of how many bytes, among whom.
#pragma once

#include "workload/importers/kineto/operations.hpp"
#include "workload/importers/kineto/profile.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

// Of the profile's rank. A kernel whose meaning the profile does not tell adds a warning to the
// step. Groups are the kernel's own ranks, the profile's list, or, if its size says so, everyone.
KinetoMeanings meanings_of(const KinetoProfile& profile, const std::vector<KinetoKernel>& kernels,
                           int rank, RecordedStep& step, RecordedGroups& groups);

}  // namespace trainyard
