#include "network/flow_group.hpp"

#include "network/all_pairs.hpp"
#include "network/link_loads.hpp"
#include "network/switch_trees.hpp"

#include <algorithm>

namespace trainyard {

namespace {

void add_pattern(LinkLoads& loads, const Phase& phase, const std::vector<GpuId>& gpus,
                 const SwitchTrees& trees) {
  if (const auto* pairs = std::get_if<AllPairs>(&phase.pattern))
    return add_all_pairs(loads, *pairs, gpus);
  if (const auto* in_switch = std::get_if<InSwitch>(&phase.pattern)) {
    for (const TreeLoad& load : trees.loads(*in_switch, gpus)) {
      const auto bytes = static_cast<double>(load.bytes.count());
      loads.add({load.link}, {bytes, bytes > 0 ? 1.0 : 0.0, bytes});
    }
    return loads.at_least(trees.latency(*in_switch, gpus));
  }
  for (const Edge& edge : std::get<std::vector<Edge>>(phase.pattern))
    loads.add(gpus[edge.from.index()], gpus[edge.to.index()], edge.bytes);
}

}  // namespace

Capacities nominal_capacities(const Platform& platform) {
  Capacities capacities;
  capacities.reserve(platform.links.size());
  for (const Link& link : platform.links) capacities.push_back(in_bytes_per_second(link.bandwidth));
  return capacities;
}

FlowGroup lower(const std::vector<Phase>& pipelined, const std::vector<std::vector<GpuId>>& members,
                const Platform& platform, const Routing& routing) {
  LinkLoads loads(platform, routing);
  const SwitchTrees trees(platform, routing);
  for (const Phase& phase : pipelined) {
    for (const std::vector<GpuId>& gpus : members) add_pattern(loads, phase, gpus, trees);
    loads.end_phase(phase.rounds);
  }
  return loads.group();
}

double alone_rate(const FlowGroup& group, const Capacities& capacities) {
  double rate = group.rate_cap;
  std::size_t next_cap = 0;
  for (const Demand& demand : group.demands) {
    const bool unshared = next_cap < group.caps.size() && group.caps[next_cap].link == demand.link;
    const double load = unshared ? group.caps[next_cap++].load : demand.load;
    rate = std::min(rate, capacities[demand.link.index()] / load);
  }
  return rate;
}

Seconds alone_duration(const FlowGroup& group, const Capacities& capacities) {
  if (group.demands.empty()) return group.latency;
  return group.latency + Seconds(group.length / alone_rate(group, capacities));
}

}  // namespace trainyard
