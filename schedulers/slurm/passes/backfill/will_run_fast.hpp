// will_run() for requests that take the same from every node: the same answer, from a forecast that
// all jobs of a cycle share.
#pragma once

#include "schedulers/slurm/passes/backfill/forecast.hpp"
#include "schedulers/slurm/passes/will_run.hpp"

namespace trainyard::slurm {

enum class FastAnswer {
  Found,
  Never,
  TooLate,  // later than asked for, wherever
  Unknown   // only will_run() can tell
};

struct FastWillRun {
  FastAnswer answer = FastAnswer::Unknown;
  WillRun found;
};

struct WillRunQuestion {
  const NodeSet& candidates;
  Horizon horizon;
  Time latest = 0;  // a later answer is of no use; 0: any is
};

FastWillRun will_run_fast(const SlurmState& state, const JobRecord& record,
                          const WillRunQuestion& question, Forecast& forecast);

}  // namespace trainyard::slurm
