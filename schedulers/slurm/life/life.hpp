// How a run of a job begins and ends, and how a job comes back into the queue.
#pragma once

#include "schedulers/slurm/decision.hpp"
#include "schedulers/slurm/state.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

using Decisions = std::vector<Decision>;

// The record holds its allocation already chosen.
void start_job(SlurmState& state, JobRecord& record);

// The run is over and its nodes are being cleaned. `end_state`: COMPLETED, FAILED, TIMEOUT, ...
void finish_job(SlurmState& state, JobRecord& record, const std::string& end_state);

// The run is lost; the job will be pending again once its nodes are clean.
void requeue_job(SlurmState& state, JobRecord& record);

// One node of a finished run is clean. Whether it was the last.
bool node_cleaned(SlurmState& state, JobRecord& record, int node);

// A pending job ends before it ever ran.
void drop_pending(SlurmState& state, JobRecord& record, const std::string& end_state);

// Whether a requeue is possible at all: batch jobs that allow it.
bool can_requeue(const JobRecord& record);

}  // namespace trainyard::slurm
