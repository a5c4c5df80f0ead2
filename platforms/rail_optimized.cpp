#include "platforms/rail_optimized.hpp"

#include "platforms/fat_tree.hpp"

#include <string>

namespace trainyard {

namespace {

std::int64_t units(const NodeSpec& nodes, int nodes_per_unit) {
  return (std::int64_t{nodes.nodes} + nodes_per_unit - 1) / nodes_per_unit;
}

std::vector<std::int32_t> rail_positions(const NodeSpec& nodes, int nodes_per_unit) {
  std::vector<std::int32_t> positions;
  positions.reserve(static_cast<std::size_t>(nodes.nics()));
  for (int node = 0; node < nodes.nodes; ++node)
    for (int rail = 0; rail < nodes.nics_per_node; ++rail) {
      const int leaf = node / nodes_per_unit * nodes.nics_per_node + rail;
      positions.push_back(leaf * nodes_per_unit + node % nodes_per_unit);
    }
  return positions;
}

int read_nodes_per_unit(Properties& properties, const NodeSpec& nodes, const TreeSpec& tree) {
  const int nodes_per_unit = properties.positive_int("nodes_per_unit");
  const int leaf_ports = tree.levels.front().down;
  if (nodes_per_unit != leaf_ports)
    throw properties.infeasible("nodes_per_unit",
                                std::to_string(nodes_per_unit) +
                                    " nodes put as many endpoints on a rail's leaf, but 'down' "
                                    "begins with " +
                                    std::to_string(leaf_ports));
  check_fits(properties, tree, units(nodes, nodes_per_unit) * nodes.nics_per_node * nodes_per_unit);
  return nodes_per_unit;
}

// PXN takes NVLink between the GPUs of a node, and rails to choose from.
bool read_pxn(Properties& properties, const NodeSpec& nodes) {
  const bool possible = nodes.gpus_per_node > 1;
  const bool on = properties.one_of_or("pxn", {"on", "off"}, possible ? "on" : "off") == "on";
  if (on && !possible)
    throw properties.infeasible("pxn", "'on' takes NVLink inside nodes, but gpus_per_node is 1");
  return on && nodes.nics_per_node > 1;
}

Platform build(Properties& properties, const NodeSpec& nodes, const TreeSpec& tree,
               int nodes_per_unit) {
  Platform platform;
  platform.pxn = read_pxn(properties, nodes);
  add_nodes(platform, nodes, rail_positions(nodes, nodes_per_unit), tree.levels.front().switching);
  add_tree(platform, tree);
  return platform;
}

}  // namespace

Platform build_rails(Properties& properties, const NodeSpec& nodes, const TreeSpec& tree) {
  return build(properties, nodes, tree, read_nodes_per_unit(properties, nodes, tree));
}

Platform build_rail_optimized(Properties& properties) {
  const NodeSpec nodes = read_node_spec(properties);
  return build_rails(properties, nodes, read_tree_spec(properties, nodes.nic));
}

Platform build_rail_only(Properties& properties) {
  const NodeSpec nodes = read_node_spec(properties);
  return build(properties, nodes, read_single_switch_spec(properties, nodes.nic, nodes.nodes),
               nodes.nodes);
}

}  // namespace trainyard
