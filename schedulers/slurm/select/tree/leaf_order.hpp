// In which order topology/tree takes leaf switches: the nearest to those taken, and of these the
// one that holds the rest of the job most tightly.
#pragma once

#include "schedulers/slurm/site/switch_tree.hpp"

#include <vector>

namespace trainyard::slurm {

class LeafOrder {
public:
  // `open`: the nodes that may be taken, and those taken already.
  LeafOrder(const std::vector<SlurmSwitchRecord>& switches, const SwitchTree& tree,
            const NodeSet& open);

  // These nodes are taken: their leaves come first, and all switches above count for distances.
  void touch(const NodeSet& chosen);
  const std::vector<int>& touched() const { return touched_; }

  // The best leaf for so many nodes, from now on taken; -1 if none is left.
  int take_best(int nodes);

private:
  const SlurmSwitchRecord& at(int index) const {
    return switches_[static_cast<std::size_t>(index)];
  }
  int count(int index) const { return counts_[static_cast<std::size_t>(index)]; }
  void add_distances(int from);
  int compare(int i, int j, int nodes) const;

  const std::vector<SlurmSwitchRecord>& switches_;
  const SwitchTree& tree_;
  std::vector<int> counts_;    // of open nodes, of each switch
  std::vector<int> distance_;  // of each leaf from all switches taken
  std::vector<int> touched_;   // leaves
  std::vector<char> is_touched_;
};

}  // namespace trainyard::slurm
