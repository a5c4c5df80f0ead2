#include "platforms/rail_optimized.hpp"

#include "platforms/fat_tree.hpp"
#include "platforms/nvlink_domain.hpp"

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

}  // namespace

Platform build_rail_optimized(Properties& properties) {
  const NodeSpec nodes = read_node_spec(properties);
  const TreeSpec tree = read_tree_spec(properties, nodes.nic);
  const int nodes_per_unit = read_nodes_per_unit(properties, nodes, tree);
  Platform platform;
  add_nodes(platform, nodes, rail_positions(nodes, nodes_per_unit), tree.levels.front().switching);
  add_tree(platform, tree);
  return platform;
}

}  // namespace trainyard
