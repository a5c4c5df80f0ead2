// Small platforms for tests: properties by hand, and one or more examples of every topology.
//
// A test that iterates the registry fails for a topology without an example.
#pragma once

#include "platforms/registry.hpp"

#include <string>
#include <utility>
#include <vector>

namespace trainyard::testing {

using PropertyList = std::vector<std::pair<std::string, std::string>>;

// Properties as if read from "test.xml", the n-th of them on line n + 1 and column 5.
inline Properties properties_of(const PropertyList& list) {
  Properties properties("fabric", {"test.xml", 1, 3});
  int line = 1;
  for (const auto& [id, value] : list) properties.add(id, {value, {"test.xml", ++line, 5}});
  return properties;
}

inline Platform build(const PropertyList& list) {
  Properties properties = properties_of(list);
  return build_platform(properties);
}

inline PropertyList with(PropertyList list, const PropertyList& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

// Nodes of one GPU and one NIC each: endpoint position = node = GPU.
inline PropertyList single_gpu_nodes(int nodes) {
  return {{"nodes", std::to_string(nodes)},
          {"gpus_per_node", "1"},
          {"nic_bandwidth", "50 GB/s"},
          {"nic_latency", "1 us"}};
}

inline PropertyList nvlink_nodes(int nodes, int gpus_per_node) {
  return {{"nodes", std::to_string(nodes)}, {"gpus_per_node", std::to_string(gpus_per_node)},
          {"nvlink_bandwidth", "450 GB/s"}, {"nvlink_latency", "500 ns"},
          {"nic_bandwidth", "50 GB/s"},     {"nic_latency", "1 us"}};
}

inline PropertyList tree(const std::string& topology, const std::string& levels,
                         const std::string& down, const std::string& up,
                         const std::string& cables) {
  PropertyList list = {{"topology", topology}, {"levels", levels},
                       {"down", down},         {"up", up},
                       {"cables", cables},     {"switch_latency", "100 ns"}};
  if (levels != "1") list.emplace_back("switch_bandwidth", "50 GB/s");
  return list;
}

// Two kinds of node; GPUs joined in pairs or by a switch, NICs shared or several; a ring of
// switches.
inline PropertyList irregular_site() {
  return {{"topology", "graph"},
          {"kinds", "quad,single"},
          {"kind.quad.gpus", "4"},
          {"kind.quad.nvlink", "0-1,2-3: 50 GB/s, 500 ns; 0-2,1-3: 25 GB/s, 500 ns"},
          {"kind.quad.nics", "nic[0-1] 0+1,2+3: 12.5 GB/s, 1 us"},
          {"kind.quad.pcie", "0+1,2+3 0,1: 16 GB/s, 300 ns"},
          {"kind.single.gpus", "1"},
          {"kind.single.nics", "ib[0-1] 0,0: 25 GB/s, 1 us"},
          {"nodes", "a[0-3]: quad; b0: single"},
          {"switches", "sw[0-4]: 100 ns"},
          {"cables",
           "a[0-3]/nic[0-1] sw[0-1]: 12.5 GB/s, 5 ns; b0/ib[0-1] sw[0-1]: 25 GB/s, 5 ns; "
           "sw0,sw1,sw2,sw3 sw2,sw3,sw4,sw4: 50 GB/s, 20 ns, 2"}};
}

// One example a row; between them: one to three levels, parallel cables, shared NICs, partly filled
// last switches, a single leaf in use.
inline std::vector<PropertyList> examples() {
  return {
      with(tree("fat_tree", "1", "8", "1", "1"), nvlink_nodes(2, 4)),
      with(tree("fat_tree", "2", "4,4", "1,4", "1,1"), single_gpu_nodes(16)),
      with(tree("fat_tree", "2", "4,4", "1,2", "1,2"), single_gpu_nodes(16)),
      with(tree("fat_tree", "2", "4,4", "1,3", "1,1"), single_gpu_nodes(13)),
      with(tree("fat_tree", "2", "8,4", "1,2", "1,1"), single_gpu_nodes(5)),
      with(tree("fat_tree", "3", "4,2,3", "1,2,2", "1,2,2"), single_gpu_nodes(24)),
      with(tree("fat_tree", "3", "2,2,4", "1,2,2", "1,1,1"),
           with(nvlink_nodes(3, 4), {{"nics_per_node", "2"}})),
      with(tree("rail_optimized", "2", "2,8", "1,2", "1,1"),
           with(nvlink_nodes(4, 4), {{"nodes_per_unit", "2"}})),
      with(tree("rail_optimized", "3", "2,2,4", "1,2,2", "1,1,1"),
           with(nvlink_nodes(5, 2), {{"nodes_per_unit", "2"}})),
      with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}}, nvlink_nodes(3, 2)),
      with(tree("rail_optimized", "2", "2,4", "1,2", "1,2"),
           with(nvlink_nodes(4, 4), {{"nics_per_node", "2"}, {"nodes_per_unit", "2"}})),
      with({{"topology", "rail_only"}, {"switch_latency", "100 ns"}}, nvlink_nodes(3, 4)),
      with(tree("fat_tree", "2", "4,2", "1,4", "1,1"),
           with(nvlink_nodes(4, 2), {{"gpus_per_domain", "4"}})),
      with(tree("fat_tree", "2", "4,2", "1,4", "1,1"),
           with(nvlink_nodes(4, 4), {{"nvlink_layout", "all_to_all"},
                                     {"nics_per_node", "2"},
                                     {"pcie_bandwidth", "25 GB/s"},
                                     {"pcie_latency", "300 ns"},
                                     {"gpus_per_pcie_switch", "1"}})),
      with(tree("dual_plane", "2", "4,4", "1,2", "1,2"), single_gpu_nodes(16)),
      with(tree("dual_plane", "2", "2,4", "1,2", "1,1"),
           with(nvlink_nodes(4, 2), {{"nodes_per_unit", "2"}})),
      with(tree("dual_tor", "2", "4,4", "1,3", "1,1"),
           with(nvlink_nodes(3, 4), {{"pcie_bandwidth", "60 GB/s"},
                                     {"pcie_latency", "300 ns"},
                                     {"gpus_per_pcie_switch", "2"}})),
      irregular_site(),
      {{"topology", "nvlink_domain"},
       {"gpus_per_node", "5"},
       {"nvlink_bandwidth", "900 GB/s"},
       {"nvlink_latency", "500 ns"}},
  };
}

// Those whose fabric is a tree.
inline std::vector<PropertyList> tree_examples() {
  std::vector<PropertyList> trees;
  for (const PropertyList& example : examples())
    if (build(example).fabric == FabricShape::Tree) trees.push_back(example);
  return trees;
}

}  // namespace trainyard::testing
