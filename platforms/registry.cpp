#include "platforms/registry.hpp"

#include "platforms/dual_port.hpp"
#include "platforms/fat_tree.hpp"
#include "platforms/graph_spec.hpp"
#include "platforms/nvlink_domain.hpp"
#include "platforms/rail_optimized.hpp"

#include <algorithm>

namespace trainyard {

namespace {

const TopologyEntry& read_topology(Properties& properties) {
  std::vector<std::string> names;
  for (const TopologyEntry& entry : topologies()) names.emplace_back(entry.name);
  const std::string name = properties.one_of("topology", names);
  return *std::find_if(topologies().begin(), topologies().end(),
                       [&](const TopologyEntry& entry) { return entry.name == name; });
}

// The file's word, or what is usual for the kind of network.
RoutingPolicy read_routing(Properties& properties, const Hardware& hardware) {
  return routing_named(
      properties.one_of_or("routing", routing_names(), to_string(usual_routing(hardware.network))));
}

bool has_nvswitch(const Platform& platform) {
  return std::any_of(platform.gpus.begin(), platform.gpus.end(),
                     [](const Gpu& gpu) { return gpu.nvlink_up.valid(); });
}

void settle_nvls(Properties& properties, Platform& platform) {
  if (has_nvswitch(platform)) return;
  if (platform.hardware.nvls && properties.has("nvls"))
    throw properties.infeasible("nvls", "'yes' needs an NVSwitch, and no node has one");
  platform.hardware.nvls = false;
}

}  // namespace

const std::vector<TopologyEntry>& topologies() {
  static const std::vector<TopologyEntry> entries = {
      {"fat_tree", build_fat_tree,
       "switch levels with several parents; a node's NICs share a leaf"},
      {"rail_optimized", build_rail_optimized,
       "a leaf per rail and scalable unit, a fat tree above"},
      {"rail_only", build_rail_only, "a switch per rail and none between rails"},
      {"dual_plane", build_dual_plane,
       "each NIC has a port in each of two equal fat trees that never meet"},
      {"dual_tor", build_dual_tor,
       "each NIC has a port on both leaves of a pair, below the same spines"},
      {"single_switch", build_single_switch, "every NIC on one switch"},
      {"nvlink_domain", build_nvlink_domain, "GPUs on one NVSwitch, no NICs"},
      {"graph", build_graph_topology, "nodes, switches and cables one by one, as they stand"},
  };
  return entries;
}

Platform build_platform(Properties& properties) {
  const TopologyEntry& entry = read_topology(properties);
  const Hardware hardware = read_hardware(properties);
  const RoutingPolicy routing = read_routing(properties, hardware);
  const std::string calibration = properties.text_or("calibration", "assumed");
  Platform platform = entry.build(properties);
  properties.finish();
  platform.name = properties.zone();
  platform.topology = entry.name;
  platform.default_routing = routing;
  platform.calibration = calibration;
  platform.hardware = hardware;
  settle_nvls(properties, platform);
  return platform;
}

}  // namespace trainyard
