// One cycle of sched/backfill: every job of the queue starts now or gets a place in the future, and
// none starts that would delay a place given before.
#pragma once

#include "schedulers/slurm/life/life.hpp"
#include "schedulers/slurm/state.hpp"

namespace trainyard::slurm {

struct BackfillCycle {
  int tested = 0, started = 0, reserved = 0;
};

BackfillCycle backfill_cycle(SlurmState& state, Decisions& decisions);

}  // namespace trainyard::slurm
