// A Job: what was asked for, and the states it goes through (Slurm's words).
#pragma once

#include "base/ids.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

enum class JobState {
  Pending,
  Running,
  Completing,
  Completed,
  Timeout,
  NodeFail,
  Failed,  // by itself: its communicator aborted
  Preempted,
  Resizing,  // it is about to go on with another number of GPUs
  Cancelled
};
const char* to_string(JobState state);  // "PENDING", "NODE_FAIL", ...

struct Job {
  JobId id;              // dense, in the order of submission time, then of the file
  std::string name;      // the trace's own id, or the user's name
  std::string workload;  // which entry of `workload:` it came from
  Seconds submit;        // from the start of the run
  int gpus = 1;
  int gpus_per_block = 1;  // GPUs that must be together on one node (a tensor group); divides gpus
  // How many GPUs an elastic job may have, ascending, `gpus` among them; what it is to do is stated
  // for `gpus`. Empty: `gpus` and no other number.
  std::vector<int> sizes{};
  Seconds limit = forever();          // wall time per attempt, as the scheduler sees it
  Seconds kill_after = forever();     // max(requested, recorded) x (1 + grace): when it is killed
  std::int64_t priority = 0;          // higher goes first
  int plan = -1;                      // index into the workload's plans; -1: compute only
  std::optional<std::int64_t> steps;  // of a plan, when given; otherwise from `run_time`
  std::string sbatch;                 // options of Slurm's sbatch: "--partition=low --qos=high"
  std::string array;                  // of a task of an array: the array's name
  int array_task = -1;                // and its number
  Seconds run_time;                   // compute-only: how long; with a plan: the recorded run time
  std::string user, partition;        // whose, and of which queue; "": nobody says
  std::string swf;                    // its line, if it came from a trace in that format
};

// The same job as one that asks for so many GPUs.
inline Job resized(Job job, int gpus) {
  job.gpus = gpus;
  return job;
}

// The GPUs given to one job, in rank order.
struct Allocation {
  std::vector<GpuId> gpus;
};

}  // namespace trainyard
