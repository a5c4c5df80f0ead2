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
    for (const Port& port : sw.across)
      edges[port.out.index()] = {sw.name, platform.switches[port.peer.index()].name, sw.level,
                                 false};
  }
}

// A port; where PCIe is described, its card, so that the ports of one card are one vertex.
inline std::string nic_vertex(const Platform& platform, NicId id) {
  const Nic& nic = platform.nics[id.index()];
  return nic.pcie_up.valid() ? "card" + std::to_string(nic.pcie_up.value())
                             : "nic" + std::to_string(id.value());
}

inline void add_node_edges(const Platform& platform, std::vector<Edge>& edges) {
  const auto join = [&](const std::string& name, const std::string& above, LinkId up, LinkId down) {
    if (!up.valid()) return;
    edges[up.index()] = {name, above, 0, true};
    edges[down.index()] = {above, name, 0, false};
  };
  for (const NvlinkPair& pair : platform.nvlink_pairs)
    join(gpu_vertex(pair.a), gpu_vertex(pair.b), pair.a_to_b, pair.b_to_a);
  const auto pcie = [](PcieId id) { return "pcie" + std::to_string(id.value()); };
  for (std::size_t i = 0; i < platform.pcie_switches.size(); ++i) {
    const PcieSwitch& sw = platform.pcie_switches[i];
    join(pcie(PcieId(static_cast<std::int64_t>(i))), "host" + std::to_string(sw.node.value()),
         sw.up, sw.down);
  }
  for (std::size_t i = 0; i < platform.gpus.size(); ++i) {
    const Gpu& gpu = platform.gpus[i];
    const std::string name = gpu_vertex(GpuId(static_cast<std::int64_t>(i)));
    join(name, "nvswitch" + std::to_string(gpu.domain.value()), gpu.nvlink_up, gpu.nvlink_down);
    join(name, pcie(gpu.pcie), gpu.pcie_up, gpu.pcie_down);
  }
  for (std::size_t i = 0; i < platform.nics.size(); ++i) {
    const Nic& nic = platform.nics[i];
    const std::string name = nic_vertex(platform, NicId(static_cast<std::int64_t>(i)));
    join(name, pcie(nic.pcie), nic.pcie_up, nic.pcie_down);
    join(name, platform.switches[nic.leaf.index()].name, nic.up, nic.down);
    edges[nic.up.index()].rank = edges[nic.down.index()].rank = 1;
  }
}

// One edge a link. Where GPUs share a NIC, its vertex stands before the NIC's links.
inline std::vector<Edge> edges_of(const Platform& platform) {
  std::vector<Edge> edges(platform.links.size());
  add_node_edges(platform, edges);
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
