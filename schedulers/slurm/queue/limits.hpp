// Limits of accounts, users and qualities of service.
#pragma once

#include "schedulers/slurm/state.hpp"

#include <string>

namespace trainyard::slurm {

// The reason in Slurm's words why a limit keeps the job from starting now, or "".
std::string limit_before_selection(const SlurmState& state, const JobRecord& record);
std::string limit_after_selection(const SlurmState& state, const JobRecord& record,
                                  const TresCount& wanted);

// Whether the job's QOS and account may use the partition.
bool may_use(const SlurmState& state, const JobRecord& record, int partition);

}  // namespace trainyard::slurm
