// When and where a pending job could start if every running job ran to its limit.
#pragma once

#include "schedulers/slurm/passes/job_test.hpp"
#include "schedulers/slurm/state.hpp"

#include <optional>

namespace trainyard::slurm {

struct WillRun {
  Time start = 0;
  NodeSet nodes;
};

// Running jobs by their end; shared by the tests of a cycle.
std::vector<int> running_by_end(const SlurmState& state);

enum class Horizon { Ever, NowOnly };

std::optional<WillRun> will_run(SlurmState& state, JobRecord& record, const NodeSet& candidates,
                                Horizon horizon);

}  // namespace trainyard::slurm
