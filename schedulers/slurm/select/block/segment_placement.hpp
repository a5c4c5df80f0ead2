// One segment of a job (or a job without segments) put into one block by topology/block's rules.
#pragma once

#include "schedulers/slurm/select/block/block_order.hpp"
#include "schedulers/slurm/select/evaluate.hpp"

namespace trainyard::slurm {

// How many base blocks go into the higher block that so many nodes are put into, and of these how
// many lower blocks may be used.
struct BlockShape {
  int blocks = 0;       // base blocks of a higher block; all there are if no level is that large
  int group_level = 0;  // of lower blocks
  int groups = 0;       // that may be used
};

BlockShape shape_of(const BlockTopology& topology, int nodes);

class SegmentPlacement {
public:
  SegmentPlacement(const Evaluation& evaluation, const NodeSet& open);

  // `within`: base blocks that the segment is to stay in.
  Nodes choose(const BlockSpan& within);

  // The base blocks of the block that was chosen.
  const BlockSpan& span() const { return span_; }

private:
  const Offer& offer(int node) const { return e_.offers[static_cast<std::size_t>(node)]; }
  int weight(int node) const { return e_.site.nodes[static_cast<std::size_t>(node)].weight; }
  void take(int node) { left_.take(node, offer(node)); }
  NodeSet nodes_of(int first, int last) const;
  BlockSpan span_at(int first) const;
  int usable(const BlockSpan& span) const;
  bool find_block(const BlockSpan& within);
  bool gather_weights();
  bool fill();
  bool fill_from(int block);

  const Evaluation& e_;
  const BlockTopology& topology_;
  Filling left_;
  NodeSet open_;
  BlockShape shape_;
  BlockSpan span_;
  NodeSet best_, lighter_;  // to be taken as needed; to be taken whole
};

}  // namespace trainyard::slurm
