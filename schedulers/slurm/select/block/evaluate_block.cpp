// topology/block: each segment of the job into one block, the tightest that holds it.

#include "schedulers/slurm/select/block/segment_placement.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

// The job as `segments` equal parts.
class Segmented {
public:
  Segmented(const Evaluation& evaluation, int segments)
      : e_(evaluation), topology_(evaluation.site.blocks), segments_(segments) {
    part_ = e_.request;
    part_.min_nodes /= segments, part_.max_nodes /= segments;
    part_.tasks = (part_.tasks + segments - 1) / segments;
    part_.gpus_total = (part_.gpus_total + segments - 1) / segments;
    if (segments > 1) part_.required = {};
    // Always the least: a range of nodes is not stretched.
    const int least = std::min(e_.counts.least, e_.counts.wanted) / segments;
    counts_ = {least, e_.counts.most / segments, least};
  }

  Nodes choose(NodeSet open) {
    if (segments_ > 1 && e_.request.has_required()) {
      if (e_.request.required.count() < segments_ * counts_.least) return {};
      open &= e_.request.required;
    }
    while (true) {
      BlockSpan home{0, topology_.count()};
      if (Nodes nodes = place_all(open, home)) return nodes;
      if (home.last - home.first == topology_.count()) return {};
      for (int block = home.first; block < home.last; ++block) open -= topology_.nodes(block);
    }
  }

private:
  // `home` becomes the higher block that --consolidate-segments confines the job to.
  Nodes place_all(NodeSet open, BlockSpan& home) const {
    NodeSet all(open.size());
    for (int i = 0; i < segments_; ++i) {
      const Evaluation part{e_.site, e_.partition, part_, e_.offers, counts_};
      const Nodes nodes = i == 0 && consolidates() ? first_of_home(part, open, home)
                                                   : SegmentPlacement(part, open).choose(home);
      if (!nodes) return {};
      all |= *nodes;
      open -= *nodes;
      if (!e_.request.spread_segments) continue;
      for (const BaseBlock& block : topology_.blocks)
        if (block.nodes.intersects(*nodes)) open -= block.nodes;
    }
    return all;
  }

  bool consolidates() const { return segments_ > 1 && e_.request.consolidate_segments; }

  // Among the higher blocks that have room for all segments.
  Nodes first_of_home(const Evaluation& part, NodeSet open, BlockSpan& home) const {
    int nodes = counts_.least * segments_;
    if (e_.request.spread_segments) {
      const int base = topology_.base_size;
      nodes = (counts_.least + base - 1) / base * base * segments_;
    }
    const int size = shape_of(topology_, nodes).blocks;
    for (int first = 0; first < topology_.count(); first += size) {
      NodeSet here(open.size());
      const int last = std::min(first + size, topology_.count());
      for (int block = first; block < last; ++block) here |= topology_.nodes(block);
      if (here.count_common(open) < counts_.least * segments_) open -= here;
    }
    SegmentPlacement placement(part, open);
    Nodes found = placement.choose({0, topology_.count()});
    if (found) home.first = placement.span().first / size * size;
    if (found) home.last = std::min(home.first + size, topology_.count());
    return found;
  }

  const Evaluation& e_;
  const BlockTopology& topology_;
  int segments_;
  Request part_;
  NodeCounts counts_;
};

}  // namespace

Nodes evaluate_block(const Evaluation& evaluation, const NodeSet& candidates) {
  const int nodes = std::min(evaluation.counts.least, evaluation.counts.wanted);
  int segment = evaluation.request.segment;
  if (segment == 0 || segment > nodes) segment = nodes;
  if (nodes % segment != 0) return {};
  return Segmented(evaluation, nodes / segment).choose(candidates);
}

}  // namespace trainyard::slurm
