// Who may preempt whom, in which order, and how.
#pragma once

#include "schedulers/slurm/life/life.hpp"
#include "schedulers/slurm/state.hpp"

#include <vector>

namespace trainyard::slurm {

// Whether the first entry can preempt the second: such entries stand first in the queue.
bool outranks(const SlurmState& state, const QueueEntry& a, const QueueEntry& b);

// Running jobs that the record, in its partition, may preempt; the first to go first.
std::vector<int> preemption_candidates(const SlurmState& state, const JobRecord& record);

PreemptMode preempt_mode_of(const SlurmState& state, const JobRecord& record);

// Preempts the job, or lets its grace time run. Decisions say what is to be done.
void preempt(SlurmState& state, JobRecord& victim, int for_job, Decisions& decisions);

}  // namespace trainyard::slurm
