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
      {{"topology", "nvlink_domain"},
       {"gpus_per_node", "5"},
       {"nvlink_bandwidth", "900 GB/s"},
       {"nvlink_latency", "500 ns"}},
  };
}

}  // namespace trainyard::testing
