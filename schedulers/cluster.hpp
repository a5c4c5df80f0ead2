// The bookkeeping of who holds which GPU. Refuses a double allocation.
//
// It knows neither time nor why: the controller says what happened, and asks what is free now.
//
// INVARIANT: every GPU is in exactly one class: free (held by nobody, its node up), allocated
// (held, whether or not its node is up) or down (held by nobody, its node down).
#pragma once

#include "schedulers/policy.hpp"

#include <map>
#include <vector>

namespace trainyard {

class Cluster {
public:
  explicit Cluster(const Platform& platform);

  // Throws std::logic_error, and changes nothing, if any GPU is not free (a bug of ours or of a
  // policy, never of an input). So do release() and allocation() of a job that holds nothing.
  void allocate(JobId job, const Allocation& allocation);
  void release(JobId job);
  const Allocation& allocation(JobId job) const;  // valid until its release

  // Twice down is down once. Jobs on the node keep their GPUs until they are released.
  void node_down(NodeId node);  // its free GPUs stop being free; a release there keeps them so
  void node_up(NodeId node);
  std::vector<JobId> jobs_on(NodeId node) const;  // by id

  const Platform& platform() const { return *platform_; }
  const std::vector<char>& free() const { return free_; }
  const std::vector<int>& free_per_node() const { return free_per_node_; }
  const std::vector<char>& up() const { return up_; }
  int free_gpus() const { return free_gpus_; }
  int down_gpus() const;
  int allocated_gpus() const { return allocated_gpus_; }

private:
  void check(JobId job, const Allocation& allocation) const;
  void set_free(GpuId gpu, bool free);
  void refresh(NodeId node);  // after it went down or up

  const Platform* platform_;
  std::vector<JobId> holder_;  // by GpuId; invalid if none
  std::vector<char> free_, up_;
  std::vector<int> free_per_node_;
  std::map<JobId, Allocation> allocations_;
  int free_gpus_ = 0, allocated_gpus_ = 0;
};

}  // namespace trainyard
