// What a file says about a switch tree: SimGrid's topo_parameters words, or an oversubscription.
//
//   levels="2" down="32,8" up="1,4" cables="1,8"
// is a tree of two levels: 32 endpoints under a leaf, 8 leaves under a spine; each endpoint has 1
// leaf and each leaf 4 spines, joined by 8 parallel cables. Instead of `up` one may write
//   oversubscription="2"
// one number per level of switches that has uplinks, leaves first (those left out are 1):
//   parents = capacity of the ports down / (oversubscription x cables x bandwidth of an uplink)
#pragma once

#include "base/quantity.hpp"
#include "platforms/properties.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

// One level of switches; the leaves are level 1 and stand at index 0.
struct TreeLevel {
  int down = 1;       // children of a switch: endpoints for a leaf, switches above
  int parents = 1;    // of each child: switches of this level it is connected to
  int cables = 1;     // parallel cables between a child and each of its parents
  Bandwidth cable;    // of the cables to the children; for a leaf, the NIC's
  Seconds switching;  // time to leave a switch of this level
};

struct TreeSpec {
  std::vector<TreeLevel> levels;
};

// levels, down, up or oversubscription, cables, switch_bandwidth, switch_latency.
TreeSpec read_tree_spec(Properties& properties, Bandwidth nic);

// A single switch with `endpoints` ports: switch_latency.
TreeSpec read_single_switch_spec(Properties& properties, Bandwidth nic, std::int64_t endpoints);

// Throws unless `positions` endpoint positions fit under the tree and the tree can be held in
// memory.
void check_fits(const Properties& properties, const TreeSpec& spec, std::int64_t positions);

}  // namespace trainyard
