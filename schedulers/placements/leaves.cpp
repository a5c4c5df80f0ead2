#include "schedulers/placements/leaves.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// Nodes of one leaf usually follow each other, so the last leaf is nearly always the one.
Leaf& leaf_of(SwitchId id, std::vector<Leaf>& leaves) {
  const auto found = std::find_if(leaves.rbegin(), leaves.rend(),
                                  [id](const Leaf& leaf) { return leaf.id == id; });
  if (found != leaves.rend()) return *found;
  leaves.push_back({id, {}});
  if (leaves.size() > 1) leaves.back().nodes.reserve(leaves[leaves.size() - 2].nodes.size());
  return leaves.back();
}

}  // namespace

std::vector<Leaf> leaves_with_room(const Platform& platform, const std::vector<int>& free_per_node,
                                   int per_block) {
  std::vector<Leaf> leaves;
  for (std::size_t node = 0; node < free_per_node.size(); ++node) {
    const int free = free_per_node[node];
    if (free < per_block) continue;  // most nodes are busy: spare the division
    const int blocks = free / per_block;
    Leaf& leaf = leaf_of(platform.nodes[node].leaf, leaves);
    leaf.nodes.push_back({static_cast<int>(node), blocks, free});
    leaf.blocks += blocks;
    leaf.free += free;
  }
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return a.id < b.id; });
  return leaves;
}

}  // namespace trainyard
