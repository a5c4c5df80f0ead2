// One pass of the main scheduler: jobs in order; a job that cannot start closes its partition.
#pragma once

#include "schedulers/slurm/life/life.hpp"
#include "schedulers/slurm/state.hpp"

namespace trainyard::slurm {

enum class PassDepth { Default, FullQueue };

void main_pass(SlurmState& state, PassDepth depth, Decisions& decisions);

}  // namespace trainyard::slurm
