// Runs an experiment that a test wrote down as YAML, and gives its whole log back.
//
// SimGrid's engine is one per process, so every run is a child process: a test may run as many as
// it likes. The log comes back through a pipe, field by field.
#pragma once

#include "report/event_log.hpp"
#include "report/metrics.hpp"
#include "study/experiment.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct Outcome {
  int exit_code = -1;  // as the program's: 0, 2, 3, 4; 70 for an error of ours, 128 + n: signal n
  std::string error;   // its message
  EventLog log;        // empty unless exit_code is 0
};

Outcome run_experiment(const std::string& yaml);
Outcome run_prepared(const Experiment& experiment);
Outcome run_under(const SchedulingPolicy& policy, const std::string& yaml);
// All of them, two at a time.
std::vector<Outcome> run_experiments(const std::vector<std::string>& yamls);

// What the YAML says, read in this process (not for plain SimGrid platforms).
Experiment experiment_of(const std::string& yaml);

// The path of a platform file made for this test: `nodes` of `gpus` GPUs on one switch. NVLink: 400
// GB/s; NICs: 50 GB/s, one a GPU unless said, 1 us end to end.
std::string switch_platform(int nodes, int gpus, int nics_per_node = 0);

// ---- Looking into a log ----

std::vector<AttemptRecord> attempts_of(const EventLog& log, const std::string& job);
// The one attempt of a job that had one.
AttemptRecord only_attempt_of(const EventLog& log, const std::string& job);
std::vector<IterationRecord> iterations_of(const EventLog& log, const std::string& job);
// Mean over all steps of the job, jumped ones included, checkpoints not.
double mean_step_of(const EventLog& log, const std::string& job);

}  // namespace trainyard
