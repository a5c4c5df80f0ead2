// Platform: the hardware as plain immutable data. Nodes, GPUs, NICs, switches and the links between
// them.
//
// It knows neighbours and switch trees, not time and not SimGrid. Every link is one direction of a
// cable.
//
// INVARIANTS: ids are dense and in the order of creation. GPUs are numbered node by node. A
// fabric's endpoints are its NICs. In a tree every switch serves a contiguous range of endpoint
// positions, so that the way down is arithmetic: child = (position - first) / span of a child. In a
// graph, any switch may be cabled to any.
#pragma once

#include "base/ids.hpp"
#include "base/quantity.hpp"
#include "platforms/hardware.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

enum class LinkClass { NvLink, Pcie, Nic, Fabric, Plain };
const char* to_string(LinkClass link_class);

struct Link {
  std::string name;  // "node3/gpu2/nvlink_up", "leaf4/spine1/up"
  Bandwidth bandwidth;
  Seconds latency;
  LinkClass link_class = LinkClass::Plain;
  int level = 0;       // Fabric: 1 joins leaves to the switches above them, and so on
  bool shared = true;  // false: caps each flow but is not shared (SimGrid's FATPIPE)
};

struct Gpu {
  NodeId node;
  NicId nic;         // the NIC its inter-node traffic leaves by; invalid if the node has none
  LinkId nvlink_up;  // to and from the NVSwitch of its domain; invalid if there is none
  LinkId nvlink_down;
  LinkId pcie_up{};  // to and from its PCIe switch; invalid where PCIe is not described
  LinkId pcie_down{};
  PcieId pcie{};
  DomainId domain{};               // the GPUs on one NVSwitch; a node, or a rack of them
  std::vector<NicId> more_nics{};  // that serve it as well as `nic`
};

// Two GPUs of a node joined by NVLink without a switch.
struct NvlinkPair {
  GpuId a, b;  // a < b
  LinkId a_to_b, b_to_a;
};

// GPUs and NICs below one PCIe switch meet there; others meet at the node's host.
struct PcieSwitch {
  NodeId node;
  LinkId up, down;  // to and from the host
};

// One port of a network card: a card of two ports is two of these.
struct Nic {
  NodeId node;
  SwitchId leaf;
  LinkId up, down;            // to and from the leaf switch
  std::int32_t position = 0;  // endpoint position under the fabric; a card's ports share it
  LinkId pcie_up{};           // to and from its PCIe switch: what the GPUs below share
  LinkId pcie_down{};
  PcieId pcie{};
};

struct Node {
  std::string name;
  GpuId first_gpu;
  int gpus = 0;
  SwitchId leaf;  // of its first NIC, what "packed" placement packs by; invalid without a fabric
};

// One cable between two switches, as one of them sees it.
struct Port {
  SwitchId peer;
  LinkId out;  // leaves this switch
};

struct Switch {
  std::string name;
  int level = 1;                                       // leaves are level 1
  std::int32_t first_position = 0, last_position = 0;  // serves positions first .. last-1
  std::int32_t child_span = 1;                         // positions under each child
  std::vector<Port> up;    // parallel cables to one parent are neighbours
  std::vector<Port> down;  // ordered by child, cables_down entries each; empty for a leaf
  int cables_down = 1;
  std::vector<Port> across{};  // to switches of the same level; none in a tree
};

enum class FabricShape { Tree, Graph };

struct Platform {
  std::string name;
  std::string topology;  // the registry's name, or "plain" for a SimGrid platform
  std::vector<Node> nodes;
  std::vector<Gpu> gpus;
  std::vector<Nic> nics;
  std::vector<Switch> switches;
  std::vector<Link> links;
  std::vector<NvlinkPair> nvlink_pairs;  // in the order of a, then b
  std::vector<PcieSwitch> pcie_switches;
  FabricShape fabric = FabricShape::Tree;
  // Traffic to another rail of another node goes by NVLink to the local GPU on that rail first.
  bool pxn = false;
  Hardware hardware;
  RoutingPolicy default_routing = RoutingPolicy::Static;
  std::string calibration;  // "assumed" or where the numbers were fitted
  std::string plain_file;   // plain SimGrid platforms: the file whose routes hold

  int gpu_count() const { return static_cast<int>(gpus.size()); }
  int node_count() const { return static_cast<int>(nodes.size()); }
  const Node& node_of(GpuId gpu) const { return nodes[gpus[gpu.index()].node.index()]; }
};

// "node3/gpu1": how users and reports name a GPU.
std::string gpu_name(const Platform& platform, GpuId gpu);
// The GPU, link or node of that name; an invalid id if there is none.
GpuId find_gpu(const Platform& platform, const std::string& name);
LinkId find_link(const Platform& platform, const std::string& name);
NodeId find_node(const Platform& platform, const std::string& name);

// NVLink bandwidth from one GPU to another, one direction, without an intermediate GPU; zero if
// there is none.
Bandwidth nvlink_bandwidth(const Platform& platform, GpuId from, GpuId to);

// Bandwidth across the middle of the endpoints, one direction. Of a tree, half of what its
// narrowest level carries towards the top (the NICs count as a level): exact for an even number of
// equal subtrees under the top, a lower bound otherwise. Of a graph, the most that can flow from
// the first half of the nodes to the others. Zero without a fabric.
Bandwidth bisection(const Platform& platform);

// Links on the longest of the shortest paths from NIC to NIC, of those that are connected. Zero
// without a fabric.
int diameter(const Platform& platform);

// Down capacity over up capacity for each level of switches that has uplinks, leaves first; of a
// level, the switch where it is worst. 1 is non-blocking. In a graph a level is the way to the
// nearest NIC; cables within a level count neither way.
std::vector<double> oversubscription(const Platform& platform);

}  // namespace trainyard
