// topology/block: base blocks in the order of the file, and how many of them join to higher blocks.
//
// A higher block of level k is 2^k base blocks in a row; only the levels that the site lists are
// planned with.
#pragma once

#include "schedulers/slurm/node_set.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

struct BaseBlock {
  std::string name;
  NodeSet nodes;
};

struct BlockTopology {
  std::vector<BaseBlock> blocks;
  int base_size = 0;        // nodes that planning counts with in each
  std::vector<int> levels;  // ascending; 0 is the base block

  bool empty() const { return blocks.empty(); }
  int count() const { return static_cast<int>(blocks.size()); }
  const NodeSet& nodes(int block) const { return blocks[static_cast<std::size_t>(block)].nodes; }

  // The first level of those listed that is at least / at most `level`; -1: none.
  int level_from(int level) const;
  int level_up_to(int level) const;
};

// Sizes as BlockSizes lists them; none: up to sixteen blocks join. The problem, or "".
std::string set_block_sizes(BlockTopology& topology, const std::vector<int>& sizes);

// The level that so many nodes take up if whole base blocks are counted: ceil(log2(blocks)).
int level_of(const BlockTopology& topology, int nodes);

}  // namespace trainyard::slurm
