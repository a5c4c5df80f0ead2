// The fabric that a Slurm topology suggests: who hangs below whom.

#include "platforms/importers/slurm_topology.hpp"

namespace trainyard {

namespace {

void add_hosts(Fabric& fabric, const std::vector<std::string>& nodes, std::size_t leaf,
               const Place& place) {
  for (const std::string& node : nodes)
    fabric.hosts.push_back({node, {{"", leaf, {}, place}}, place});
}

void add_tree(Fabric& fabric, const std::vector<SlurmSwitch>& switches) {
  for (std::size_t i = 0; i < switches.size(); ++i) {
    fabric.switches.push_back({switches[i].name, switches[i].place});
    add_hosts(fabric, switches[i].nodes, i, switches[i].place);
    for (const std::size_t child : switches[i].children)
      fabric.cables.push_back({child, i, {}, switches[i].place});
  }
}

void add_blocks(Fabric& fabric, const std::vector<SlurmBlock>& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    fabric.switches.push_back({blocks[i].name, blocks[i].place});
    add_hosts(fabric, blocks[i].nodes, i, blocks[i].place);
  }
  if (blocks.size() == 1) return;
  fabric.switches.push_back({"top", blocks.front().place});
  for (std::size_t i = 0; i < blocks.size(); ++i)
    fabric.cables.push_back({i, blocks.size(), {}, blocks[i].place});
  fabric.notes.emplace_back(
      "blocks: a switch for each and one above them all; the file does not say how they are "
      "cabled");
}

}  // namespace

Fabric to_fabric(const SlurmTopology& topology) {
  Fabric fabric;
  fabric.notes = topology.notes;
  if (topology.blocks.empty())
    add_tree(fabric, topology.switches);
  else
    add_blocks(fabric, topology.blocks);
  return fabric;
}

}  // namespace trainyard
