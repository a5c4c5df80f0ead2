// Which jobs to preempt: candidates are released one by one until the job fits, then the order is
// improved so that jobs not needed are spared.
#pragma once

#include "schedulers/slurm/passes/job_test.hpp"
#include "schedulers/slurm/state.hpp"

#include <optional>
#include <vector>

namespace trainyard::slurm {

struct WithPreemption {
  NodeSet nodes;
  std::vector<int> victims;  // none if it fits beside jobs that gang scheduling will suspend
};

// Nodes for a job of `usable` ones once victims are gone; `order`: of preemption.
std::optional<WithPreemption> fits_with_preemption(SlurmState& state, JobTest& test,
                                                   const NodeSet& usable, std::vector<int> order);

}  // namespace trainyard::slurm
