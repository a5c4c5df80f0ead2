// A platform as a graph whose vertices have names, to follow a path without trusting the router.
#pragma once

#include "network/routing.hpp"
#include "platforms/platform.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace trainyard::testing {

struct Edge {
  std::string tail, head;
  int rank = 0;  // rises on the way up, falls on the way down: NVLink 0, NIC 1, fabric 1 + level
  bool up = false;
};

inline std::string gpu_vertex(GpuId gpu) { return "gpu" + std::to_string(gpu.value()); }

inline void add_fabric_edges(const Platform& platform, std::vector<Edge>& edges) {
  for (const Switch& sw : platform.switches) {
    for (const Port& port : sw.up)
      edges[port.out.index()] = {sw.name, platform.switches[port.peer.index()].name, 1 + sw.level,
                                 true};
    for (const Port& port : sw.down)
      edges[port.out.index()] = {sw.name, platform.switches[port.peer.index()].name, sw.level,
                                 false};
  }
}

// One edge a link. Where GPUs share a NIC, its vertex stands before the NIC's links.
inline std::vector<Edge> edges_of(const Platform& platform) {
  std::vector<Edge> edges(platform.links.size());
  for (std::size_t i = 0; i < platform.gpus.size(); ++i) {
    const Gpu& gpu = platform.gpus[i];
    const std::string nvswitch = "nvswitch" + std::to_string(gpu.node.value());
    const std::string name = gpu_vertex(GpuId(static_cast<std::int64_t>(i)));
    if (!gpu.nvlink_up.valid()) continue;
    edges[gpu.nvlink_up.index()] = {name, nvswitch, 0, true};
    edges[gpu.nvlink_down.index()] = {nvswitch, name, 0, false};
  }
  for (std::size_t i = 0; i < platform.nics.size(); ++i) {
    const Nic& nic = platform.nics[i];
    const std::string name = "nic" + std::to_string(i);
    const std::string& leaf = platform.switches[nic.leaf.index()].name;
    edges[nic.up.index()] = {name, leaf, 1, true};
    edges[nic.down.index()] = {leaf, name, 1, false};
  }
  add_fabric_edges(platform, edges);
  return edges;
}

// Where a path between two GPUs must begin or end: the GPU inside a node, else its NIC.
inline std::string end_vertex(const Platform& platform, GpuId gpu, GpuId other) {
  const Gpu& here = platform.gpus[gpu.index()];
  if (here.node == platform.gpus[other.index()].node) return gpu_vertex(gpu);
  return "nic" + std::to_string(here.nic.value());
}

inline std::vector<LinkShare> path_of(const Routing& routing, GpuId from, GpuId to,
                                      int queue_pair = 0) {
  std::vector<LinkShare> path;
  routing.append_path(from, to, queue_pair, path);
  return path;
}

// Outflow less inflow of every vertex that the path touches.
inline std::map<std::string, double> balance(const std::vector<Edge>& edges,
                                             const std::vector<LinkShare>& path) {
  std::map<std::string, double> balance;
  for (const LinkShare& hop : path) {
    balance[edges[hop.link.index()].tail] += hop.share;
    balance[edges[hop.link.index()].head] -= hop.share;
  }
  return balance;
}

// The sum of shares at each rank on the way up, and on the way down: each a cut that all bytes
// cross once.
inline std::map<std::pair<bool, int>, double> cuts(const std::vector<Edge>& edges,
                                                   const std::vector<LinkShare>& path) {
  std::map<std::pair<bool, int>, double> sums;
  for (const LinkShare& hop : path) {
    const Edge& edge = edges[hop.link.index()];
    sums[{edge.up, edge.rank}] += hop.share;
  }
  return sums;
}

}  // namespace trainyard::testing
