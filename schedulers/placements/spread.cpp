// Spread: as many leaves as possible, then as many nodes: the opposite of packing.
//
// Block by block, round-robin over the leaves (the emptiest first), each time to the node of that
// leaf with the most GPUs left.
#include "schedulers/placements/leaves.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>

namespace trainyard {

namespace {

NodeId take_block(Leaf& leaf, int per_block) {
  const auto emptiest =
      std::max_element(leaf.nodes.begin(), leaf.nodes.end(),
                       [](const Bin& a, const Bin& b) { return a.free < b.free; });
  emptiest->free -= per_block;
  --leaf.blocks;
  return NodeId(emptiest->id);
}

class Spread final : public BlockPlacement {
  std::vector<Share> choose(const Request& request, const Platform& platform,
                            const std::vector<int>& free_per_node) const override {
    std::vector<Leaf> leaves = leaves_with_room(platform, free_per_node, request.per_block);
    std::stable_sort(leaves.begin(), leaves.end(),
                     [](const Leaf& a, const Leaf& b) { return a.blocks > b.blocks; });
    std::vector<Share> shares;
    int missing = request.blocks;
    for (std::size_t turn = 0; missing > 0; turn = (turn + 1) % leaves.size()) {
      if (leaves[turn].blocks == 0) continue;
      shares.push_back({take_block(leaves[turn], request.per_block), 1});
      --missing;
    }
    return shares;
  }
};

}  // namespace

std::unique_ptr<Placement> make_spread(const PlacementOptions& /*options*/) {
  return std::make_unique<Spread>();
}

}  // namespace trainyard
