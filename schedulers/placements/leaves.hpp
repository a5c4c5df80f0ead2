// The nodes that can give something, by leaf switch: what topology-aware placements choose among.
#pragma once

#include "schedulers/placements/block_placement.hpp"

#include <vector>

namespace trainyard {

// Something that blocks are taken from: a node, or a whole leaf.
struct Bin {
  int id;      // NodeId's value, or the position of a leaf
  int blocks;  // > 0
  int free;    // GPUs: more than blocks hold, if a rest is too small for another block
};

struct Leaf {
  SwitchId id;  // invalid for nodes without a fabric: they count as one leaf
  std::vector<Bin> nodes;
  int blocks = 0, free = 0;
};

// Leaves and nodes in ascending order; only those that have a block of that size to give.
std::vector<Leaf> leaves_with_room(const Platform& platform, const std::vector<int>& free_per_node,
                                   int per_block);

}  // namespace trainyard
