// Starting one job now, with preemption if need be: Slurm's select_nodes().
#pragma once

#include "schedulers/slurm/life/life.hpp"
#include "schedulers/slurm/state.hpp"

namespace trainyard::slurm {

enum class StartResult {
  Started,
  Busy,          // for lack of resources, or jobs are being preempted for it
  Limited,       // by an account's or a QOS's limit
  Reserved,      // its nodes are reserved for others
  NotAvailable,  // nodes it must have are down or drained
  Impossible     // never in this partition
};

// `usable`: the nodes that the caller leaves to it. On anything but Started the record says why.
StartResult try_start(SlurmState& state, JobRecord& record, const NodeSet& usable,
                      Decisions& decisions);

// Minutes a test counts with; a year where neither job nor partition has a limit.
int minutes_of(const SlurmState& state, const JobRecord& record);

}  // namespace trainyard::slurm
