// What an operator does: scontrol and scancel.
#pragma once

#include "schedulers/slurm/controller/slurmctld.hpp"

#include <string>

namespace trainyard::slurm {

// Of records found by the user's id; all return whether there were any.
bool release_job(Slurmctld& controller, const std::string& id);
bool hold_job(Slurmctld& controller, const std::string& id);
bool requeue_by_hand(Slurmctld& controller, const std::string& id, bool hold, Decisions& decisions);
bool cancel_job(Slurmctld& controller, const std::string& id, Decisions& decisions);

// Jobs on the node are requeued, or fail, or go on without it.
void node_fails(Slurmctld& controller, int node, Decisions& decisions);

}  // namespace trainyard::slurm
