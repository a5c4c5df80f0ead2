// The causes that an experiment can be run again without, and what such a run tells of its jobs.
//
// A cause is taken out of the whole experiment: the scheduler decides anew, so a job may start
// earlier, or elsewhere. What is saved is what the closed loop saves.
#pragma once

#include "report/event_log.hpp"
#include "study/experiment.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct Cause {
  const char* name;      // "slow GPUs"
  const char* sentence;  // what is done without it
  bool (*acts)(const Experiment& experiment);
  void (*remove)(Experiment& experiment);
};

// In the order of the ledger. The other jobs are no row here: see keep_only.
const std::vector<Cause>& causes();

// The experiment with one job; it is JobId(0) then.
void keep_only(Experiment& experiment, std::size_t job);

// How a job fared.
struct JobFared {
  Seconds step;      // mean over all its steps, checkpoints left out; 0: it made none
  Seconds response;  // from its submission to its last end
};

JobFared fared(const EventLog& log, JobId job);

}  // namespace trainyard
