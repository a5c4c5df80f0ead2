// A job's priority: counted down from the first (priority/basic), or the sum of weighted factors.
#pragma once

#include "schedulers/slurm/state.hpp"

#include <vector>

namespace trainyard::slurm {

// Each term already weighted, as `sprio -l` prints them.
struct PriorityFactors {
  double age = 0, association = 0, fairshare = 0, job_size = 0, partition = 0, qos = 0, tres = 0;
  double nice = 0;

  double sum() const;  // at least 1, truncated
};

PriorityFactors priority_factors(const SlurmState& state, const JobRecord& record, int partition);

// Of all associations, by their usage now; empty where the site keeps no accounts.
std::vector<double> fair_shares(const SlurmState& state);

// At submission and at release from a hold: of each of the job's partitions.
void set_first_priority(SlurmState& state, JobRecord& record);

// Every PriorityCalcPeriod: charges usage and recomputes what is pending.
void recompute_priorities(SlurmState& state);

}  // namespace trainyard::slurm
