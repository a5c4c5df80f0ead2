// The small fabrics of the physics tests. All links 50 GB/s; NIC 1 us an end, switch 0.1 us.
#pragma once

#include "unit/platforms/examples.hpp"

#include <string>

namespace trainyard::testing {

constexpr double kNic = 50e9, kNvLink = 450e9;              // bytes/s
constexpr double kOneSwitch = 1e-6 + 0.1e-6 + 1e-6;         // s, NIC to NIC
constexpr double kInsideNode = 0.5e-6 + 0.5e-6;             // s, NVLink up and down
constexpr double kThroughSpine = 1e-6 + 3 * 0.1e-6 + 1e-6;  // s, NIC, leaf, spine, leaf

// n nodes of one GPU on one switch.
inline Platform one_switch(int n) {
  return build(
      with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}}, single_gpu_nodes(n)));
}

// Nodes of several GPUs, each GPU with its own NIC, on one switch.
inline Platform nvlink_nodes_on_a_switch(int nodes, int per_node) {
  return build(with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}},
                    nvlink_nodes(nodes, per_node)));
}

// Leaves of `per_leaf` nodes of one GPU, with `spines` uplinks each, one to each spine.
inline Platform leaf_and_spine(int leaves, int per_leaf, int spines) {
  return build(with(tree("fat_tree", "2", std::to_string(per_leaf) + "," + std::to_string(leaves),
                         "1," + std::to_string(spines), "1,1"),
                    single_gpu_nodes(leaves * per_leaf)));
}

inline double count(Bytes size) { return static_cast<double>(size.count()); }

}  // namespace trainyard::testing
