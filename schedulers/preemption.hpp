// Whom to preempt: a pure choice, apart from any policy that asks for it.
#pragma once

#include "schedulers/capacity.hpp"

#include <vector>

namespace trainyard {

// The running jobs to preempt so that `job` fits; `capacity` counts blocks of the job's size among
// the GPUs it may have already. Only jobs of strictly lower priority, and none that is releasing.
//
// In order: lowest priority first, then most recently started (least work lost), then highest id,
// until the job fits. Then those that turned out unnecessary are spared, the most valuable first:
// a small victim is chosen in vain when a larger one must go anyway. So no victim can be spared
// without sparing another's place; it is not always the smallest number of victims, which would
// prefer one important job to two unimportant ones.
//
// Empty if the job fits without victims, or would not fit even if all of them went.
std::vector<RunningJob> choose_victims(const Job& job, const std::vector<RunningJob>& running,
                                       Capacity capacity);

}  // namespace trainyard
