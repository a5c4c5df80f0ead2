#include "schedulers/placements/block_placement.hpp"

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

Allocation BlockPlacement::place(const Job& job, const Platform& platform,
                                 const std::vector<char>& free,
                                 const std::vector<int>& free_per_node) const {
  const Request request{job.gpus / job.gpus_per_block, job.gpus_per_block};
  if (blocks_available(free_per_node, request.per_block) < request.blocks) return {};

  std::vector<int> blocks_on(platform.nodes.size(), 0);
  for (const Share& share : choose(request, platform, free_per_node))
    blocks_on[share.node.index()] += share.blocks;

  Allocation allocation;
  allocation.gpus.reserve(static_cast<std::size_t>(job.gpus));
  for (std::size_t node = 0; node < blocks_on.size(); ++node)
    if (blocks_on[node] > 0)
      take_lowest(blocks_on[node] * request.per_block, platform.nodes[node], free, allocation.gpus);
  return allocation;
}

}  // namespace trainyard
