#include "schedulers/slurm/select/block/block_order.hpp"

namespace trainyard::slurm {

BlockOrder::BlockOrder(const BlockTopology& topology, const BlockSpan& span, const NodeSet& open)
    : span_(span),
      group_counts_(static_cast<std::size_t>((topology.count() >> span.group_level) + 1)),
      used_(static_cast<std::size_t>(span.last - span.first)),
      groups_left_(span.groups) {
  for (int block = span.first; block < span.last; ++block) {
    counts_.push_back(topology.nodes(block).count_common(open));
    group_counts_[group(block)] += counts_.back();
  }
}

bool BlockOrder::group_used(int block) const {
  for (int other = span_.first; other < span_.last; ++other)
    if (group(other) == group(block) && used(other)) return true;
  return false;
}

bool BlockOrder::use(int block) {
  if (used(block)) return true;
  if (span_.limited && !group_used(block)) --groups_left_;
  group_counts_[group(block)] -= count(block);
  used_[index(block)] = 1;
  return groups_left_ >= 0;
}

// Above 0 if a count `a` suits so many nodes better than `b`: one that holds them all, the smallest
// of those; else the largest.
int BlockOrder::tighter(int a, int b, int nodes) {
  const bool a_fits = a >= nodes, b_fits = b >= nodes;
  if (a_fits != b_fits) return a_fits ? 1 : -1;
  return a_fits ? b - a : a - b;
}

// Above 0 if `a` is to be preferred to `b`. Of equal ones the later wins.
int BlockOrder::compare(int a, int b, int nodes) const {
  if (span_.limited && group(a) != group(b)) {
    const bool a_used = group_used(a), b_used = group_used(b);
    if (a_used != b_used) return a_used ? 1 : -1;
    const int order = tighter(group_counts_[group(a)], group_counts_[group(b)], nodes);
    if (order != 0) return order;
  }
  const int order = tighter(count(a), count(b), nodes);
  return order != 0 ? order : a - b;
}

int BlockOrder::take_best(int nodes) {
  int best = -1;
  for (int block = span_.first; block < span_.last; ++block)
    if (!used(block) && (best < 0 || compare(block, best, nodes) > 0)) best = block;
  if (best < 0) return best;
  const bool fresh = span_.limited && !group_used(best);
  if (fresh && groups_left_ <= 0) return -1;
  groups_left_ -= fresh ? 1 : 0;
  used_[index(best)] = 1;
  return best;
}

}  // namespace trainyard::slurm
