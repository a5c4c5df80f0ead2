#include "platforms/registry.hpp"

#include "platforms/fat_tree.hpp"
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

RoutingPolicy read_routing(Properties& properties) {
  const std::string word = properties.one_of_or("routing", {"static", "ecmp", "spray"}, "static");
  if (word == "ecmp") return RoutingPolicy::Ecmp;
  return word == "spray" ? RoutingPolicy::Spray : RoutingPolicy::Static;
}

}  // namespace

const std::vector<TopologyEntry>& topologies() {
  static const std::vector<TopologyEntry> entries = {
      {"fat_tree", build_fat_tree,
       "switch levels with several parents; a node's NICs share a leaf"},
      {"rail_optimized", build_rail_optimized,
       "a leaf per rail and scalable unit, a fat tree above"},
      {"single_switch", build_single_switch, "every NIC on one switch"},
      {"nvlink_domain", build_nvlink_domain, "the GPUs of one node on an NVSwitch, no NICs"},
  };
  return entries;
}

Platform build_platform(Properties& properties) {
  const TopologyEntry& entry = read_topology(properties);
  const RoutingPolicy routing = read_routing(properties);
  const std::string calibration = properties.text_or("calibration", "assumed");
  Platform platform = entry.build(properties);
  properties.finish();
  platform.name = properties.zone();
  platform.topology = entry.name;
  platform.default_routing = routing;
  platform.calibration = calibration;
  return platform;
}

}  // namespace trainyard
