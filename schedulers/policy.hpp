// Scheduling as a pure function: a view of the cluster in, decisions out.
//
// No clock, no engine, no memory: a test is a view and an expected list. The controller carries
// decisions out in order; each must be valid given those before it.
#pragma once

#include "base/ids.hpp"
#include "base/quantity.hpp"
#include "platforms/platform.hpp"
#include "workload/job.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace trainyard {

struct RunningJob {
  const Job* job = nullptr;
  const Allocation* allocation = nullptr;
  Seconds started;  // of this attempt
  bool releasing =
      false;  // preempted, writing its checkpoint: its GPUs will come back without being asked
  Seconds since = Seconds(0);  // it was started, suspended or resumed last
};

// INVARIANT: `free` says per GPU whether it may be given away now: neither allocated nor on a down
// node. `pending` is in queue order: priority first (higher), then submission, then id.
struct ClusterView {
  Seconds now;
  const Platform* platform = nullptr;
  const std::vector<char>* free = nullptr;          // by GpuId
  const std::vector<int>* free_per_node = nullptr;  // by NodeId
  const std::vector<char>* node_up = nullptr;       // by NodeId; a down node's GPUs are not free
  int free_gpus = 0;
  std::vector<const Job*> pending;
  std::vector<RunningJob> running;    // by JobId
  std::vector<RunningJob> suspended;  // by JobId; others may have their GPUs meanwhile
  // To how many GPUs, of jobs that are told to resize: still running, or pending since they left.
  std::map<JobId, int> resizing{};
  bool preemption_is_immediate = true;  // false: a victim first writes a checkpoint
};

struct Start {
  JobId job;
  Allocation allocation;
};
struct Preempt {
  JobId job;
  JobId for_job;
};
struct Suspend {  // a running job stands still, and its GPUs are free
  JobId job;
};
struct Resume {  // a suspended job goes on, on the same GPUs: all must be free
  JobId job;
};
// A running elastic job leaves after the step it is in, and waits to be started with another number
// of GPUs; nothing of its work is lost.
struct Resize {
  JobId job;
  int gpus = 0;
};
using Decision = std::variant<Start, Preempt, Suspend, Resume, Resize>;

// Where a job may go, and beside whom: the view as a policy has changed it so far.
struct Room {
  const Platform& platform;
  const std::vector<char>& free;          // by GpuId
  const std::vector<int>& free_per_node;  // by NodeId
  std::vector<RunningJob> neighbours{};   // only for a placement that looks at them
};

// Where a job goes: pure too.
class Placement {
public:
  virtual ~Placement() = default;
  // gpus in rank order, blocks of gpus_per_block on one node each; empty if it does not fit now.
  virtual Allocation place(const Job& job, const Room& room) const = 0;
  virtual bool looks_at_neighbours() const { return false; }
};

class SchedulingPolicy {
public:
  virtual ~SchedulingPolicy() = default;
  virtual std::vector<Decision> decide(const ClusterView& view,
                                       const Placement& placement) const = 0;
  // Whether it may resize jobs: then it is asked also when nobody waits.
  virtual bool resizes() const { return false; }
  // When to ask again though nothing has happened; the view is as it was after the decisions.
  virtual Seconds wake(const ClusterView& /*view*/) const { return forever(); }
};

// How many blocks of `per_block` GPUs the free GPUs hold: sum over nodes of floor(free /
// per_block).
int blocks_available(const std::vector<int>& free_per_node, int per_block);

}  // namespace trainyard
