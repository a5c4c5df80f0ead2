#include "schedulers/slurm/site/switch_tree.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

using Switches = std::vector<SlurmSwitchRecord>;

// Climbs from the lower of two until they meet; a root stays where it is.
int links_between(const Switches& switches, int i, int j) {
  const auto at = [&](int index) -> const SlurmSwitchRecord& {
    return switches[static_cast<std::size_t>(index)];
  };
  int up = 0;
  for (; i != j; ++up) {
    const bool i_lower = at(i).level <= at(j).level;
    int& lower = i_lower ? i : j;
    int& other = i_lower ? j : i;
    int& climbs = at(lower).parent == lower ? other : lower;
    if (at(climbs).parent == climbs) return SwitchTree::kFar;
    climbs = at(climbs).parent;
  }
  return up;
}

}  // namespace

SwitchTree::SwitchTree(const Switches& switches) {
  const int count = static_cast<int>(switches.size());
  for (int i = 0; i < count; ++i) {
    const SlurmSwitchRecord& each = switches[static_cast<std::size_t>(i)];
    spans_.push_back(each.nodes.span());
    if (each.level == 0) leaves_.push_back(i);
    by_level_.push_back(count - 1 - i);
  }
  std::stable_sort(by_level_.begin(), by_level_.end(), [&](int a, int b) {
    return switches[static_cast<std::size_t>(a)].level >
           switches[static_cast<std::size_t>(b)].level;
  });
  links_.reserve(switches.size() * leaves_.size());
  for (int i = 0; i < count; ++i)
    for (const int leaf : leaves_) links_.push_back(links_between(switches, i, leaf));
}

}  // namespace trainyard::slurm
