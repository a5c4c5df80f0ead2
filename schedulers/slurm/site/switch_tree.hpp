// What node selection looks up in a tree of switches again and again, worked out once.
#pragma once

#include "schedulers/slurm/node_set.hpp"

#include <climits>
#include <cstddef>
#include <string>
#include <vector>

namespace trainyard::slurm {

struct SlurmSwitchRecord {
  std::string name;
  int level = 0;    // leaves are 0
  int parent = -1;  // itself for a root
  NodeSet nodes;
};

class SwitchTree {
public:
  static constexpr int kFar = INT_MAX / 4;  // no way from one to the other

  SwitchTree() = default;
  explicit SwitchTree(const std::vector<SlurmSwitchRecord>& switches);

  bool is_of(const std::vector<SlurmSwitchRecord>& switches) const {
    return spans_.size() == switches.size();
  }
  const std::vector<int>& leaves() const { return leaves_; }      // ascending
  const std::vector<int>& by_level() const { return by_level_; }  // highest first, then last first
  NodeSet::Span span(int index) const { return spans_[static_cast<std::size_t>(index)]; }

  // The number of links between a switch and leaves()[leaf].
  int links(int from, std::size_t leaf) const {
    return links_[static_cast<std::size_t>(from) * leaves_.size() + leaf];
  }

private:
  std::vector<int> leaves_, by_level_;
  std::vector<NodeSet::Span> spans_;
  std::vector<int> links_;  // a row per switch
};

}  // namespace trainyard::slurm
