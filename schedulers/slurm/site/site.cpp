#include "schedulers/slurm/site/site.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

template <class Rows>
int index_of(const Rows& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

}  // namespace

int SlurmSite::node_index(const std::string& name) const {
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), name,
                                      [](const SlurmNode& node, const std::string& wanted) {
                                        return natural_less(node.name, wanted);
                                      });
  return found == nodes.end() || found->name != name ? -1 : static_cast<int>(found - nodes.begin());
}

void SlurmSite::prepare() {
  equal_weights = std::all_of(nodes.begin(), nodes.end(), [&](const SlurmNode& node) {
    return node.weight == nodes.front().weight;
  });
  tree = SwitchTree(switches);
}

void SlurmSite::widen_to_topology(NodeSet& some) const {
  const NodeSet before = some;
  for (const BaseBlock& block : blocks.blocks)
    if (block.nodes.intersects(before)) some |= block.nodes;
  for (const SlurmSwitchRecord& each : switches)
    if (each.level == 0 && each.nodes.intersects(before)) some |= each.nodes;
}

int SlurmSite::partition_index(const std::string& name) const { return index_of(partitions, name); }

int SlurmSite::default_partition() const {
  const auto found = std::find_if(partitions.begin(), partitions.end(),
                                  [](const SlurmPartition& each) { return each.is_default; });
  return found == partitions.end() ? -1 : static_cast<int>(found - partitions.begin());
}

int SlurmAccounting::qos_index(const std::string& name) const { return index_of(qos, name); }

int SlurmAccounting::association_index(const std::string& account, const std::string& user) const {
  for (std::size_t i = 0; i < associations.size(); ++i)
    if (associations[i].account == account && associations[i].user == user)
      return static_cast<int>(i);
  return -1;
}

}  // namespace trainyard::slurm
