// topology.conf as Slurm's switch table: levels from 0 at the leaves, parents, nodes below each.

#include "platforms/importers/slurm_topology.hpp"
#include "schedulers/slurm/site/read_site.hpp"

namespace trainyard::slurm {

namespace {

NodeSet nodes_below(const SlurmTopology& topology, std::size_t index, const SlurmSite& site) {
  NodeSet nodes(site.node_count());
  const SlurmSwitch& sw = topology.switches[index];
  for (const std::string& name : sw.nodes) {
    const int node = site.node_index(name);
    if (node >= 0) nodes.add(node);  // nodes that slurm.conf does not have are of no use
  }
  for (const std::size_t child : sw.children) nodes |= nodes_below(topology, child, site);
  return nodes;
}

}  // namespace

void read_topology_conf(SlurmSite& site, const std::string& file, const std::string& text) {
  const SlurmTopology topology = parse_slurm_topology(file, text);
  if (!topology.blocks.empty())
    site.warnings.push_back("topology/block: nodes are chosen as without a topology");
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    SlurmSwitchRecord record;
    record.name = topology.switches[i].name;
    record.level = topology.switches[i].level - 1;
    record.parent = static_cast<int>(i);
    record.nodes = nodes_below(topology, i, site);
    site.switches.push_back(std::move(record));
  }
  for (std::size_t i = 0; i < topology.switches.size(); ++i)
    for (const std::size_t child : topology.switches[i].children)
      site.switches[child].parent = static_cast<int>(i);
  site.prepare();
}

}  // namespace trainyard::slurm
