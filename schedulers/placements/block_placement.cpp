#include "schedulers/placements/block_placement.hpp"

#include <algorithm>

namespace trainyard {

namespace {

void take_lowest(int count, const Node& node, const std::vector<char>& free,
                 std::vector<GpuId>& taken) {
  const int end = node.first_gpu.value() + node.gpus;
  for (int gpu = node.first_gpu.value(); count > 0 && gpu < end; ++gpu) {
    if (free[GpuId(gpu).index()] == 0) continue;
    taken.emplace_back(gpu);
    --count;
  }
}

}  // namespace

Allocation BlockPlacement::place(const Job& job, const Room& room) const {
  const Request request{job.gpus / job.gpus_per_block, job.gpus_per_block};
  if (blocks_available(room.free_per_node, request.per_block) < request.blocks) return {};

  std::vector<Share> shares = choose(request, room.platform, room.free_per_node);
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.node < b.node; });
  Allocation allocation;
  allocation.gpus.reserve(static_cast<std::size_t>(job.gpus));
  for (auto share = shares.cbegin(); share != shares.cend();) {
    const NodeId node = share->node;
    int blocks = 0;
    for (; share != shares.cend() && share->node == node; ++share) blocks += share->blocks;
    take_lowest(blocks * request.per_block, room.platform.nodes[node.index()], room.free,
                allocation.gpus);
  }
  return allocation;
}

}  // namespace trainyard
