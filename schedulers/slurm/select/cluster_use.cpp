#include "schedulers/slurm/select/cluster_use.hpp"

#include <cassert>

namespace trainyard::slurm {

int Allocation::cpus() const {
  int total = 0;
  for (const NodeShare& share : shares) total += share.cpus;
  return total;
}

int Allocation::gpus() const {
  int total = 0;
  for (const NodeShare& share : shares) total += gpu_count(share.gpus);
  return total;
}

void ClusterUse::add(const Allocation& allocation) {
  add_cores(allocation);
  for (const NodeShare& share : allocation.shares) {
    NodeUse& use = (*this)[share.node];
    assert((use.gpus & share.gpus) == 0);
    use.gpus |= share.gpus;
    use.memory += share.memory;
  }
}

void ClusterUse::remove(const Allocation& allocation) {
  for (const NodeShare& share : allocation.shares) release(share);
}

void ClusterUse::release(const NodeShare& share) {
  NodeUse& use = (*this)[share.node];
  for (std::size_t s = 0; s < kMostSockets; ++s)
    use.cores[s] = static_cast<std::int16_t>(use.cores[s] - share.cores[s]);
  use.gpus &= ~share.gpus;
  use.memory -= share.memory;
}

void ClusterUse::remove_cores(const Allocation& allocation) {
  for (const NodeShare& share : allocation.shares)
    for (std::size_t s = 0; s < kMostSockets; ++s)
      (*this)[share.node].cores[s] =
          static_cast<std::int16_t>((*this)[share.node].cores[s] - share.cores[s]);
}

void ClusterUse::add_cores(const Allocation& allocation) {
  for (const NodeShare& share : allocation.shares)
    for (std::size_t s = 0; s < kMostSockets; ++s)
      (*this)[share.node].cores[s] =
          static_cast<std::int16_t>((*this)[share.node].cores[s] + share.cores[s]);
}

}  // namespace trainyard::slurm
