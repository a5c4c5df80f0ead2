// The time limits that jobs of a trace get: what a scheduler plans with, and when they are killed.
//
//   limits: {from: requested | run_time, factor: 1, spread: 0}
//   limit_grace: 0.1
//
// `from: run_time` is the perfect forecast; jobs of plans without a recorded run time keep what
// they asked for. `factor` makes all limits wrong alike. `spread` makes them wrong each in its own
// way: by a factor e^(spread x a normal deviate drawn from the job's name), the same in every run.
// A job is killed at its limit or its recorded run time, whichever is later, and the grace: a limit
// that is too short misleads the scheduler, and kills nobody.
#pragma once

#include "config/section.hpp"
#include "workload/job.hpp"

namespace trainyard {

struct TraceLimits {
  bool from_run_time = false;
  double factor = 1, spread = 0, grace = 0.1;

  void apply(Job& job) const;  // sets its limit, and when it is killed
};

TraceLimits read_trace_limits(Section& trace);

}  // namespace trainyard
