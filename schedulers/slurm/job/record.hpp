// A job in the controller's table: what changes from submission to end.
//
// A task of an array is a record of its own that knows its array. Times are whole seconds, as
// Slurm's are; 0 means "not yet" wherever a time has not come.
#pragma once

#include "schedulers/slurm/job/job.hpp"
#include "schedulers/slurm/select/cluster_use.hpp"
#include "schedulers/slurm/select/feature_nodes.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::slurm {

using Time = std::int64_t;

enum class JobState : char { Pending, Running, Suspended, Done };

struct JobRecord {
  const SlurmJob* job = nullptr;
  std::string id;          // the user's; of a task "R_3"
  long number = 0;         // Slurm's job id; of a task: of its array
  std::string end_state;   // COMPLETED, FAILED, ... once it is Done
  std::string reason;      // why it is pending, in Slurm's words
  std::string waited_for;  // the last reason before it started

  std::vector<double> priorities;  // of each partition of the job, in that order
  double nice = 0;
  Time submitted = 0, begin = 0, accrue = 0;

  std::shared_ptr<const FeatureNodes> features;  // nullptr: any node will do

  Allocation allocation;
  Time start = 0, end = 0;     // of this run; `end` by its limit
  Time suspended_at = 0;       // by gang scheduling, last
  Time preempt_time = 0;       // since when it is being preempted
  Time preempt_start = 0;      // when jobs were last preempted for it
  Time switch_wait_start = 0;  // when it was first tested, if it wants few leaves
  Time planned_start = 0;      // by the last backfill cycle; 0: none

  int task = -1;  // of an array
  int index = 0;  // in the controller's table
  int association = -1, qos = -1;
  int time_limit = kNoLimit;  // minutes
  int restarts = 0;
  int partition = 0;         // in which it runs or was last tried
  int row = 0;               // of gang scheduling
  int completing_nodes = 0;  // that have not reported
  int known_to_fit = 0;      // on an idle cluster: SlurmState::node_changes() when this was found

  JobState state = JobState::Pending;
  bool completing = false;  // its last run is being cleaned up
  bool requeueable = true;
  bool held = false;
  bool preempt_in_progress = false;
  bool signalled = false;  // of --signal, in this run

  bool running() const { return state == JobState::Running || state == JobState::Suspended; }
  bool pending() const { return state == JobState::Pending; }
  bool is_task() const { return task >= 0; }
  double priority() const { return priorities.empty() ? 0 : priorities.front(); }
};

// A partition of a job, as an entry of the queue.
struct QueueEntry {
  int job = 0;  // index in the table
  int partition = 0;
  double priority = 0;
};

}  // namespace trainyard::slurm
