// The bookkeeping of who holds which GPU. Refuses a double allocation.
#pragma once

#include "schedulers/policy.hpp"

#include <map>
#include <vector>

namespace trainyard {

class Cluster {
public:
  explicit Cluster(const Platform& platform);

  // Throws std::logic_error if any GPU is not free (a bug of ours or of a policy, never of an
  // input).
  void allocate(JobId job, const Allocation& allocation);
  void release(JobId job);
  const Allocation& allocation(JobId job) const;

  void node_down(NodeId node);  // its free GPUs stop being free; a release there keeps them so
  void node_up(NodeId node);
  std::vector<JobId> jobs_on(NodeId node) const;  // by id

  const std::vector<char>& free() const { return free_; }
  const std::vector<int>& free_per_node() const { return free_per_node_; }
  const std::vector<char>& up() const { return up_; }
  int free_gpus() const { return free_gpus_; }
  int down_gpus() const;
  int allocated_gpus() const { return allocated_gpus_; }

private:
  const Platform* platform_;
  std::vector<JobId> holder_;  // by GpuId; invalid if none
  std::vector<char> free_, up_;
  std::vector<int> free_per_node_;
  std::map<JobId, Allocation> allocations_;
  int free_gpus_ = 0, allocated_gpus_ = 0;
};

}  // namespace trainyard
