#include "network/flow_group.hpp"

#include "network/switch_trees.hpp"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

// Sums the bytes and flows of every transfer on every link it crosses.
class LinkLoads {
public:
  LinkLoads(const Platform& platform, const Routing& routing)
      : platform_(platform),
        routing_(routing),
        loads_(platform.links.size()),
        queue_pairs_(routing.queue_pairs()) {}

  void add(GpuId from, GpuId to, Bytes size) {
    slowest_ = std::max(slowest_, routing_.latency(from, to));
    if (size.count() == 0) return;  // sent all the same, in no time
    const double bytes = static_cast<double>(size.count()) / queue_pairs_;
    for (int pair = 0; pair < queue_pairs_; ++pair) {
      path_.clear();
      routing_.append_path(from, to, pair, path_);
      for (const LinkShare& hop : path_) add_share(hop, bytes);
    }
  }

  // One way into a tree of switches or out of it.
  void add_on(LinkId link, Bytes size) {
    if (link.valid() && size.count() > 0) add_share({link, 1}, static_cast<double>(size.count()));
  }
  void at_least(Seconds latency) { slowest_ = std::max(slowest_, latency); }
  void end_phase(int rounds) {
    latency_ += rounds * slowest_;
    slowest_ = Seconds();
  }

  FlowGroup group() {
    FlowGroup group;
    group.latency = latency_;
    if (touched_.empty()) return group;
    std::sort(touched_.begin(), touched_.end());
    const double unit = bytes_per_flow_on_bottleneck();
    group.length = unit;
    group.demands.reserve(touched_.size());
    for (const LinkId link : touched_) {
      const Load& load = loads_[link.index()];
      group.demands.push_back({link, load.bytes / unit});
      if (!platform_.links[link.index()].shared) group.caps.push_back({link, load.largest / unit});
    }
    return group;
  }

private:
  struct Load {
    double bytes = 0;
    double flows = 0;
    double largest = 0;  // bytes of the largest single flow
  };

  void add_share(const LinkShare& hop, double bytes) {
    Load& load = loads_[hop.link.index()];
    if (load.flows == 0) touched_.push_back(hop.link);
    load.bytes += bytes * hop.share;
    load.flows += hop.share;
    load.largest = std::max(load.largest, bytes * hop.share);
  }

  // Ties (links equally tight) go to the lowest id: a bottleneck must beat the best by more than
  // rounding.
  double bytes_per_flow_on_bottleneck() const {
    constexpr double kClearly = 1 + 1e-9;
    double tightest = -1, unit = 1;
    for (const LinkId link : touched_) {
      const Load& load = loads_[link.index()];
      const Link& data = platform_.links[link.index()];
      const double time =
          (data.shared ? load.bytes : load.largest) / in_bytes_per_second(data.bandwidth);
      if (time <= tightest * kClearly) continue;
      tightest = time;
      unit = load.bytes / load.flows;
    }
    return unit;
  }

  const Platform& platform_;
  const Routing& routing_;
  std::vector<Load> loads_;
  std::vector<LinkId> touched_;
  std::vector<LinkShare> path_;
  int queue_pairs_;
  Seconds slowest_;  // of this phase
  Seconds latency_;  // of the phases that have ended
};

void add_all_pairs(LinkLoads& loads, const AllPairs& pairs, const std::vector<GpuId>& gpus) {
  for (int to = 0; to < static_cast<int>(pairs.to.size()); ++to)
    for (int i = 0; i < pairs.group; ++i)
      if (const Rank from = pairs.member(to, i); from != Rank{to})
        loads.add(gpus[from.index()], gpus[static_cast<std::size_t>(to)],
                  pairs.to[static_cast<std::size_t>(to)]);
}

void add_pattern(LinkLoads& loads, const Phase& phase, const std::vector<GpuId>& gpus,
                 const SwitchTrees& trees) {
  if (const auto* pairs = std::get_if<AllPairs>(&phase.pattern))
    return add_all_pairs(loads, *pairs, gpus);
  if (const auto* in_switch = std::get_if<InSwitch>(&phase.pattern)) {
    for (const TreeLoad& load : trees.loads(*in_switch, gpus)) loads.add_on(load.link, load.bytes);
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
