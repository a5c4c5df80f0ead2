#include "schedulers/slurm/select/tree/leaf_order.hpp"

#include <algorithm>

namespace trainyard::slurm {

LeafOrder::LeafOrder(const std::vector<SlurmSwitchRecord>& switches, const SwitchTree& tree,
                     const NodeSet& open)
    : switches_(switches),
      tree_(tree),
      counts_(switches.size()),
      distance_(tree.leaves().size()),
      is_touched_(switches.size()) {
  for (std::size_t i = 0; i < switches.size(); ++i)
    counts_[i] = switches[i].nodes.count_common(open, tree.span(static_cast<int>(i)));
}

void LeafOrder::touch(const NodeSet& chosen) {
  for (int i = 0; i < static_cast<int>(switches_.size()); ++i) {
    if (!at(i).nodes.intersects(chosen, tree_.span(i))) continue;
    is_touched_[static_cast<std::size_t>(i)] = 1;
    if (at(i).level == 0) touched_.push_back(i);
    add_distances(i);
  }
}

void LeafOrder::add_distances(int from) {
  for (std::size_t leaf = 0; leaf < distance_.size(); ++leaf)
    distance_[leaf] = std::min(SwitchTree::kFar, distance_[leaf] + tree_.links(from, leaf));
}

int LeafOrder::take_best(int nodes) {
  int best = -1, best_near = 0;
  for (std::size_t leaf = 0; leaf < distance_.size(); ++leaf) {
    const int i = tree_.leaves()[leaf];
    const int near = distance_[leaf];
    if (is_touched_[static_cast<std::size_t>(i)] || count(i) == 0 || near >= SwitchTree::kFar)
      continue;
    if (best >= 0) {
      if (near > best_near) continue;
      const int order = compare(i, best, nodes);
      if (near == best_near ? order <= 0 : order < 0) continue;
    }
    best = i, best_near = near;
  }
  if (best < 0) return best;
  add_distances(best);
  counts_[static_cast<std::size_t>(best)] = 0;
  return best;
}

// Above 0 if `i` is to be preferred to `j` for so many nodes.
int LeafOrder::compare(int i, int j, int nodes) const {
  while (true) {
    const bool i_fits = count(i) >= nodes, j_fits = count(j) >= nodes;
    if (i_fits && j_fits && count(i) != count(j)) return count(i) < count(j) ? 1 : -1;
    if (i_fits != j_fits) return i_fits ? 1 : -1;
    const int i_parent = at(i).parent, j_parent = at(j).parent;
    const bool roots = i_parent == i && j_parent == j;
    if ((i_fits && j_fits) || roots || i_parent == j_parent) break;
    i = i_parent, j = j_parent;
  }
  if (count(i) != count(j)) return count(i) > count(j) ? 1 : -1;
  return at(j).level - at(i).level;
}

}  // namespace trainyard::slurm
