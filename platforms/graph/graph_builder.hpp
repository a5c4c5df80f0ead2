// Makes hardware of a graph that is known to be sound: step by step, in the order of the functions.
#pragma once

#include "platforms/graph_spec.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard {

class GraphBuilder {
public:
  GraphBuilder(const GraphSpec& spec, Platform& platform);

  void add_nodes();
  void add_switches();
  void add_cables();
  // Leaves are level 1; every other switch stands one above the lowest it is cabled to.
  void settle_levels();
  // Endpoint positions leaf by leaf, so that neighbours in position are neighbours in the fabric.
  void settle_positions();

private:
  struct Uplink {  // a cable of a NIC
    SwitchId leaf;
    const GraphSpec::Cable* cable;
  };

  LinkId add_link(Link link);
  void collect_uplinks();
  void add_node(const GraphSpec::Node& node);
  void add_gpus(const GraphSpec::NodeKind& kind, const std::string& node);
  void add_pairs(const GraphSpec::NodeKind& kind, const std::string& node);
  std::vector<Nic> add_pcie(const GraphSpec::NodeKind& kind, const std::string& node);
  void add_ports(const GraphSpec::NodeKind& kind, std::size_t number, const std::string& node,
                 const Nic& slot);
  void connect_gpus(const GraphSpec::NodeKind& kind, std::size_t number, NicId port);
  void add_cable(const GraphSpec::Cable& cable, SwitchId a, SwitchId b);
  void sort_ports();
  Seconds latency_of(SwitchId id) const { return spec_.switches[id.index()].latency; }

  const GraphSpec& spec_;
  Platform& platform_;
  std::unordered_map<std::string, const GraphSpec::NodeKind*> kinds_;
  std::unordered_map<std::string, SwitchId> switches_;
  std::unordered_map<std::string, std::vector<Uplink>> uplinks_;  // by "node/nic"
  std::map<std::pair<SwitchId, SwitchId>, int> parallel_;         // cables between two switches
  std::map<std::pair<SwitchId, SwitchId>, int> placed_;           // of them, those there are
  GpuId first_gpu_;                                               // of the node being added
};

}  // namespace trainyard
