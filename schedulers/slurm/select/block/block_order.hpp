// In which order topology/block takes base blocks: as few lower blocks as can be, then as few base
// blocks as can be, then the ones that leave least over.
#pragma once

#include "schedulers/slurm/site/block_topology.hpp"

#include <vector>

namespace trainyard::slurm {

// The base blocks first..last-1 of one higher block, in groups of 2^group_level (lower blocks), of
// which at most `groups` may be used. `limited`: whether that matters at all.
struct BlockSpan {
  int first = 0, last = 0;
  int group_level = 0, groups = 0;
  bool limited = false;
};

class BlockOrder {
public:
  // `open`: the nodes that may be taken.
  BlockOrder(const BlockTopology& topology, const BlockSpan& span, const NodeSet& open);

  // Nodes of it are taken already. False if that is a lower block too many.
  bool use(int block);
  bool used(int block) const { return used_[index(block)] != 0; }

  // The best base block for so many nodes, from now on used; -1 if there is none.
  int take_best(int nodes);

private:
  std::size_t index(int block) const { return static_cast<std::size_t>(block - span_.first); }
  std::size_t group(int block) const {
    return static_cast<std::size_t>(block >> span_.group_level);
  }
  int count(int block) const { return counts_[index(block)]; }
  bool group_used(int block) const;
  int compare(int a, int b, int nodes) const;
  static int tighter(int a, int b, int nodes);

  BlockSpan span_;
  std::vector<int> counts_;        // open nodes of each base block
  std::vector<int> group_counts_;  // of each lower block, by its number in the whole topology
  std::vector<char> used_;
  int groups_left_;
};

}  // namespace trainyard::slurm
