// Whether what a job waits for has happened.
#pragma once

#include "schedulers/slurm/state.hpp"

namespace trainyard::slurm {

enum class DependencyState { Met, Waiting, NeverMet };

DependencyState dependencies_of(const SlurmState& state, const JobRecord& record);

}  // namespace trainyard::slurm
