// topology.conf as Slurm's switch table: levels from 0 at the leaves, parents, nodes below each.

#include "platforms/importers/slurm_topology.hpp"
#include "schedulers/slurm/site/read_site.hpp"

namespace trainyard::slurm {

namespace {

// Nodes that slurm.conf does not have are of no use.
NodeSet known_nodes(const SlurmSite& site, const std::vector<std::string>& names) {
  NodeSet nodes(site.node_count());
  for (const std::string& name : names)
    if (const int node = site.node_index(name); node >= 0) nodes.add(node);
  return nodes;
}

NodeSet nodes_below(const SlurmTopology& topology, std::size_t index, const SlurmSite& site) {
  const SlurmSwitch& sw = topology.switches[index];
  NodeSet nodes = known_nodes(site, sw.nodes);
  for (const std::size_t child : sw.children) nodes |= nodes_below(topology, child, site);
  return nodes;
}

}  // namespace

void read_topology_conf(SlurmSite& site, const std::string& file, const std::string& text) {
  const SlurmTopology topology = parse_slurm_topology(file, text);
  if (topology.blocks.empty() == site.parameters.topology_block)
    throw InputError({file}, "",
                     std::string("holds ") + (topology.blocks.empty() ? "switches" : "blocks") +
                         "; slurm.conf says TopologyPlugin=topology/" +
                         (site.parameters.topology_block ? "block" : "tree"));
  for (const SlurmBlock& block : topology.blocks)
    site.blocks.blocks.push_back({block.name, known_nodes(site, block.nodes)});
  if (!site.blocks.empty())
    if (const std::string problem = set_block_sizes(site.blocks, topology.block_sizes);
        !problem.empty())
      throw InputError({file}, "BlockSizes", problem);
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
