// An irregular site, as it stands: kinds of nodes, the nodes, the switches, and every cable.
//
// What importers produce and what the topology "graph" reads and writes. It is plain text and
// numbers: names instead of ids, and no derived data. build_graph() makes the hardware of it;
// to_properties() the words of a platform file, compact as host lists are.
//
// INVARIANT of a sound spec (graph_problem says what breaks it): names are unique, of letters,
// digits and "._-" only; nodes and cables name what exists; bandwidths are positive; the GPUs of a
// node reach each other by NVLink, through at most one GPU between, or by PCIe.
#pragma once

#include "base/quantity.hpp"
#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

struct GraphSpec {
  // Every GPU of the node on one NVSwitch: a GPU's bandwidth each way, and the time to the switch.
  struct Nvswitch {
    Bandwidth bandwidth;
    Seconds latency;
  };
  // Two GPUs joined directly: bandwidth each way, all their cables together.
  struct NvlinkPair {
    int a = 0, b = 0;
    Bandwidth bandwidth;
    Seconds latency;
  };
  struct Nic {
    std::string name;
    Bandwidth bandwidth;    // caps each of its cables
    Seconds latency;        // paid at either end
    std::vector<int> gpus;  // that it is nearest to; a GPU may have several, and has all if none
  };
  // Bandwidth of each slot (a GPU, a NIC, the way up to the host), and the time to cross it.
  struct PcieSwitch {
    Bandwidth bandwidth;
    Seconds latency;
    std::vector<int> gpus, nics;  // below it
  };
  struct NodeKind {
    std::string name;
    int gpus = 1;
    std::optional<Nvswitch> nvswitch;
    std::vector<NvlinkPair> nvlink;
    std::vector<Nic> nics;
    std::vector<PcieSwitch> pcie;
  };
  struct Node {
    std::string name, kind;
  };
  struct Switch {
    std::string name;
    Seconds latency;  // to leave it
  };
  // `count` parallel cables between two ends: a switch, or a NIC as "node3/nic0".
  struct Cable {
    std::string a, b;
    Bandwidth bandwidth;
    Seconds latency;
    int count = 1;
  };

  std::vector<NodeKind> kinds;
  std::vector<Node> nodes;
  std::vector<Switch> switches;
  std::vector<Cable> cables;
};

// The property that breaks the invariant ("nodes", "kind.dgx.nics") and how, or nothing.
struct GraphProblem {
  std::string property, problem;
};
std::optional<GraphProblem> graph_problem(const GraphSpec& spec);

// The hardware; throws InputError if there is a graph_problem. A cable of a NIC is a port; parallel
// cables between switches are separate links. Link latency is what its sender takes, then the
// cable, then the NIC it arrives at.
Platform build_graph(const GraphSpec& spec);

// The properties of a platform file, in order, without the topology's name.
using PropertyTexts = std::vector<std::pair<std::string, std::string>>;
PropertyTexts to_properties(const GraphSpec& spec);
// The same back: read_graph(to_properties(spec)) is `spec`.
GraphSpec read_graph(Properties& properties);

// A whole platform file: the zone's name, what is known of the hardware and of the numbers' source.
std::string to_xml(const GraphSpec& spec, const std::string& name, const Hardware& hardware = {},
                   const std::string& calibration = "assumed");

// Topology "graph".
Platform build_graph_topology(Properties& properties);

}  // namespace trainyard
