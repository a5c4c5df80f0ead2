// Free GPUs per node, and how many blocks of one size they hold, kept up to date GPU by GPU.
//
// What "would it fit then?" is counted with: EASY's reservation gives back what running jobs will
// leave, the choice of victims what preempted ones would. It knows numbers per node, not GPUs.
//
// INVARIANT: a node that is down holds nothing: what is given back there does not count.
#pragma once

#include "schedulers/policy.hpp"

#include <vector>

namespace trainyard {

class Capacity {
public:
  Capacity(const ClusterView& view, std::vector<int> free_per_node, int per_block);

  void give(const Allocation& allocation);
  void take(const Allocation& allocation);

  int gpus() const { return gpus_; }
  int blocks() const { return blocks_; }
  bool holds(const Job& job) const { return blocks_ * per_block_ >= job.gpus; }

private:
  const Platform* platform_;
  const std::vector<char>* node_up_;
  std::vector<int> free_per_node_;
  int per_block_;
  int gpus_, blocks_;
};

}  // namespace trainyard
