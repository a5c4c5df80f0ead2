#include "network/adaptive/division.hpp"

#include "network/adaptive/even_filling.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kFull = 1 - 1e-9;
constexpr double kGain = 1e-4;   // hysteresis: an emptier way must be emptier by as much
constexpr double kNone = 1e-9;   // of a capacity or share: rounding
constexpr int kMostSweeps = 32;  // over all bundles of a group alone

// Demands on links that no bundle crosses, and the rest as the bundles are divided now.
FlowGroup divided(const FlowGroup& group, Ways ways) {
  FlowGroup next = group;
  next.demands.clear();
  const std::vector<double> loads = ways.loads();
  std::size_t way = 0;
  const auto add_ways_before = [&](LinkId end) {
    for (; way < loads.size() && (!end.valid() || ways.links[way] < end); ++way)
      if (loads[way] > 0) next.demands.push_back({ways.links[way], loads[way]});
  };
  for (const Demand& demand : group.demands) {
    add_ways_before(demand.link);
    if (way == loads.size() || ways.links[way] != demand.link) next.demands.push_back(demand);
  }
  add_ways_before(LinkId());
  next.ways = std::make_shared<const Ways>(std::move(ways));
  return next;
}

// The group under change and the traffic that follows it.
class Divider {
public:
  Divider(const FlowGroup& group, const Surroundings& around)
      : around_(around), ways_(*group.ways), carried_(around.carried) {}

  // Whether any bundle has been divided anew.
  bool divide() {
    bool changed = false;
    for (Bundle& bundle : ways_.bundles) changed |= divide(bundle);
    return changed;
  }
  Ways take() { return std::move(ways_); }

private:
  double capacity(std::size_t link) const { return around_.capacities[ways_.links[link].index()]; }

  bool divide(Bundle& bundle) {
    double fullest = 0;
    for (const Bundle::Cable& cable : bundle.cables)
      if (cable.share > 0) fullest = std::max(fullest, carried_[cable.link] / capacity(cable.link));
    if (fullest < 1 - kGain) return false;
    const double rate = around_.rate * bundle.load;
    cables_.clear();
    for (const Bundle::Cable& cable : bundle.cables)
      cables_.push_back(
          {capacity(cable.link), std::max(0.0, carried_[cable.link] - rate * cable.share)});
    const double enough = fullest * (1 - kGain);
    if (least_filling(bundle, cables_, rate) > enough) return false;
    const Filling filling = fill_evenly(bundle, cables_, rate);
    if (filling.fullest > enough) return false;
    for (std::size_t i = 0; i < bundle.cables.size(); ++i) {
      // Not a trace may stay where nothing flows: it would wait for its turn on a full link.
      const double share = filling.shares[i] > kNone ? filling.shares[i] : 0;
      bundle.cables[i].share = share;
      carried_[bundle.cables[i].link] = cables_[i].others + rate * share;
    }
    return true;
  }

  const Surroundings& around_;
  Ways ways_;
  std::vector<double> carried_;    // by link of `ways_`: bytes/s
  std::vector<Occupancy> cables_;  // of the bundle at hand
};

// A link that no bundle can avoid is full of the group's own, and nobody else waits where they
// cross: no division makes anything faster.
bool is_bound_elsewhere(const FlowGroup& group, const Surroundings& around) {
  const std::vector<double> loads = group.ways->loads();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const double capacity = around.capacities[group.ways->links[i].index()];
    const double others = around.carried[i] - around.rate * loads[i];
    if (loads[i] > 0 && around.carried[i] >= kFull * capacity && others > kNone * capacity)
      return false;
  }
  return !is_held_by_ways(group, around.capacities) &&
         around.rate >= kFull * alone_rate(group, around.capacities);
}

}  // namespace

bool is_held_by_ways(const FlowGroup& group, const Capacities& capacities) {
  if (!group.ways) return false;
  const double rate = alone_rate(group, capacities);
  if (rate >= kFull * group.rate_cap) return false;
  const std::vector<double> loads = group.ways->loads();
  std::size_t way = 0;
  for (const Demand& demand : group.demands) {
    while (way < loads.size() && group.ways->links[way] < demand.link) ++way;
    const bool avoidable = way < loads.size() && group.ways->links[way] == demand.link;
    const double fixed = avoidable ? group.ways->fixed[way] : demand.load;
    if (fixed * rate >= kFull * capacities[demand.link.index()]) return false;
  }
  return true;
}

std::optional<FlowGroup> divided_better(const FlowGroup& group, const Surroundings& around) {
  if (!group.ways || !(around.rate > 0) || std::isinf(around.rate)) return std::nullopt;
  if (is_bound_elsewhere(group, around)) return std::nullopt;
  Divider divider(group, around);
  if (!divider.divide()) return std::nullopt;
  return divided(group, divider.take());
}

FlowGroup divided_alone(FlowGroup group, const Capacities& capacities) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    Surroundings around{capacities, group.ways->loads(), alone_rate(group, capacities)};
    for (double& carried : around.carried) carried *= around.rate;
    std::optional<FlowGroup> better = divided_better(group, around);
    if (!better) break;
    group = std::move(*better);
  }
  return group;
}

}  // namespace trainyard
