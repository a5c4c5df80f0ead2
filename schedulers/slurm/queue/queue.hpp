// The queue: which jobs may start at all, and in which order they are tried.
#pragma once

#include "schedulers/slurm/state.hpp"

#include <vector>

namespace trainyard::slurm {

// Entries of what may run, an entry a partition, in Slurm's order. Says in the records why others
// may not, and marks since when a job waits.
std::vector<QueueEntry> build_queue(SlurmState& state);

// Whether another task of the job's array may run.
bool array_has_room(const SlurmState& state, const JobRecord& record);

}  // namespace trainyard::slurm
