#include "schedulers/capacity.hpp"

#include <numeric>
#include <utility>

namespace trainyard {

Capacity::Capacity(const ClusterView& view, std::vector<int> free_per_node, int per_block)
    : platform_(view.platform),
      node_up_(view.node_up),
      free_per_node_(std::move(free_per_node)),
      per_block_(per_block),
      gpus_(std::accumulate(free_per_node_.begin(), free_per_node_.end(), 0)),
      blocks_(per_block == 1 ? gpus_ : blocks_available(free_per_node_, per_block)) {}

void Capacity::give(const Allocation& allocation) {
  for (const GpuId gpu : allocation.gpus) {
    const std::size_t node = platform_->gpus[gpu.index()].node.index();
    if ((*node_up_)[node] == 0) continue;
    ++gpus_;
    if (++free_per_node_[node] % per_block_ == 0) ++blocks_;
  }
}

void Capacity::take(const Allocation& allocation) {
  for (const GpuId gpu : allocation.gpus) {
    const std::size_t node = platform_->gpus[gpu.index()].node.index();
    if ((*node_up_)[node] == 0) continue;
    --gpus_;
    if (free_per_node_[node]-- % per_block_ == 0) --blocks_;
  }
}

}  // namespace trainyard
