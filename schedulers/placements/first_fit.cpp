// First fit: the lowest nodes that have a block to give, whatever leaf they are on.
#include "schedulers/placements/block_placement.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>

namespace trainyard {

namespace {

class FirstFit final : public BlockPlacement {
  std::vector<Share> choose(const Request& request, const Platform& platform,
                            const std::vector<int>& free_per_node) const override {
    std::vector<Share> shares;
    int missing = request.blocks;
    for (int node = 0; missing > 0 && node < platform.node_count(); ++node) {
      const int free = free_per_node[NodeId(node).index()];
      if (free < request.per_block) continue;
      const int blocks = free / request.per_block;
      shares.push_back({NodeId(node), std::min(blocks, missing)});
      missing -= shares.back().blocks;
    }
    return shares;
  }
};

}  // namespace

std::unique_ptr<Placement> make_first_fit(const PlacementOptions& /*options*/) {
  return std::make_unique<FirstFit>();
}

}  // namespace trainyard
