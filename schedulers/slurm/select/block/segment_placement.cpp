#include "schedulers/slurm/select/block/segment_placement.hpp"

#include "schedulers/slurm/select/gather_weights.hpp"

#include <algorithm>
#include <climits>
#include <map>

namespace trainyard::slurm {

BlockShape shape_of(const BlockTopology& topology, int nodes) {
  BlockShape shape;
  const int needed = level_of(topology, nodes), level = topology.level_from(needed);
  shape.blocks = level < 0 ? topology.count() : 1 << level;
  shape.group_level = needed > 0 ? std::max(0, topology.level_up_to(needed - 1)) : 0;
  const int group_size = topology.base_size << shape.group_level;
  shape.groups = (nodes + group_size - 1) / group_size;
  return shape;
}

SegmentPlacement::SegmentPlacement(const Evaluation& evaluation, const NodeSet& open)
    : e_(evaluation),
      topology_(evaluation.site.blocks),
      left_(evaluation.request, evaluation.counts, evaluation.site.node_count()),
      open_(open),
      shape_(shape_of(topology_, left_.nodes_left())) {}

Nodes SegmentPlacement::choose(const BlockSpan& within) {
  if (!find_block(within)) return {};
  open_ &= nodes_of(span_.first, span_.last);
  if (e_.request.has_required()) {
    if (!open_.contains(e_.request.required)) return {};
    e_.request.required.each([&](int node) { take(node); });
    if (left_.done()) return left_.chosen;
    if (left_.full()) return {};
  }
  if (!gather_weights()) return {};
  lighter_.each([&](int node) {
    if (!left_.full()) take(node);
  });
  if (left_.done()) return left_.chosen;
  if (left_.full() || !fill()) return {};
  return left_.chosen;
}

NodeSet SegmentPlacement::nodes_of(int first, int last) const {
  NodeSet nodes(open_.size());
  for (int block = first; block < last; ++block) nodes |= topology_.nodes(block);
  return nodes;
}

BlockSpan SegmentPlacement::span_at(int first) const {
  BlockSpan span{first, std::min(first + shape_.blocks, topology_.count()), shape_.group_level,
                 shape_.groups, false};
  span.limited = shape_.blocks != shape_.groups << shape_.group_level;
  return span;
}

// The open nodes in the fullest lower blocks that may be used.
int SegmentPlacement::usable(const BlockSpan& span) const {
  std::map<int, int> by_group;
  for (int block = span.first; block < span.last; ++block)
    by_group[block >> span.group_level] += topology_.nodes(block).count_common(open_);
  std::vector<int> counts;
  counts.reserve(by_group.size());
  for (const auto& [group, count] : by_group) counts.push_back(count);
  std::sort(counts.rbegin(), counts.rend());
  int sum = 0, groups = 0;
  for (const int count : counts)
    if (!span.limited || groups++ < span.groups) sum += count;
  return sum;
}

// The lightest nodes first, then the fewest that suffice, then the last; with required nodes the
// block that has one of them.
bool SegmentPlacement::find_block(const BlockSpan& within) {
  int best = -1, best_count = 0, best_weight = INT_MAX;
  for (int first = within.first; first < within.last; first += shape_.blocks) {
    const BlockSpan span = span_at(first);
    NodeSet nodes = nodes_of(span.first, span.last);
    nodes &= open_;
    if (e_.request.has_required()) {
      if (!nodes.intersects(e_.request.required)) continue;
      return span_ = span, true;
    }
    int cpus = 0, lightest = INT_MAX;
    nodes.each([&](int node) {
      cpus += offer(node).cpus;
      lightest = std::min(lightest, weight(node));
    });
    if (!left_.enough_nodes(usable(span)) || cpus < left_.cpus_left()) continue;
    const int count = nodes.count();
    if (best >= 0 && (lightest > best_weight || (lightest == best_weight && count > best_count)))
      continue;
    best = first, best_count = count, best_weight = lightest;
  }
  if (best >= 0) span_ = span_at(best);
  return best >= 0;
}

// As in a tree: all lighter nodes are taken whole, of the last weight only what is needed.
bool SegmentPlacement::gather_weights() {
  Gathered gathered = slurm::gather_weights(e_, left_, open_);
  best_ = std::move(gathered.nodes), lighter_ = std::move(gathered.lighter);
  return gathered.suffice;
}

// Base blocks touched already, then the best of the others until it is enough.
bool SegmentPlacement::fill() {
  BlockOrder order(topology_, span_, best_);
  for (int block = span_.first; block < span_.last; ++block)
    if (topology_.nodes(block).intersects(left_.chosen) && !order.use(block)) return false;
  for (int block = span_.first; block < span_.last; ++block)
    if (order.used(block) && fill_from(block)) return true;
  for (int before = left_.nodes_left() + 1; before != left_.nodes_left();) {
    before = left_.nodes_left();
    const int best = order.take_best(left_.nodes_left());
    if (best < 0) break;
    if (fill_from(best)) return true;
  }
  return left_.enough_at_least();
}

bool SegmentPlacement::fill_from(int block) {
  NodeSet nodes = topology_.nodes(block);
  nodes &= best_;
  nodes -= left_.chosen;
  bool done = false;
  nodes.each([&](int node) {
    if (done || left_.full()) return;
    take(node);
    done = left_.done();
  });
  return done;
}

}  // namespace trainyard::slurm
