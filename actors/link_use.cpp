#include "actors/link_use.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace trainyard {

namespace {

struct Flow {
  LinkId link;
  int lane;
  double rate;
};

bool by_link_and_lane(const Flow& a, const Flow& b) {
  return std::tie(a.link, a.lane, b.rate) < std::tie(b.link, b.lane, a.rate);  // fastest first
}

// Under adaptive routing: what each cable could come to carry.
void add_other_ways(const FlowGroup& group, double alone, int lane, std::vector<Flow>& flows) {
  if (!group.ways) return;
  std::vector<double> most = group.ways->fixed;
  for (const Bundle& bundle : group.ways->bundles)
    for (const Bundle::Cable& cable : bundle.cables) most[cable.link] += bundle.load;
  for (std::size_t i = 0; i < most.size(); ++i)
    flows.push_back({group.ways->links[i], lane, alone * most[i]});
}

// Of every flow group once a lane: equal buckets share one.
std::vector<Flow> flows_alone(const StepModel& model, const Machine& machine) {
  std::vector<Flow> flows;
  std::set<std::pair<int, const FlowGroup*>> seen;
  for (const auto* channels : {&model.channels, &model.folded})
    for (const Channel& channel : *channels)
      for (const auto& group : channel.groups) {
        if (!seen.insert({channel.lane, group.get()}).second) continue;
        const double alone = alone_rate(*group, machine.capacities);
        for (const Demand& demand : group->demands)
          flows.push_back({demand.link, channel.lane, alone * demand.load});
        add_other_ways(*group, alone, channel.lane, flows);
      }
  return flows;
}

}  // namespace

std::vector<LinkUse> links_used(const StepModel& model, const Machine& machine) {
  std::vector<Flow> flows = flows_alone(model, machine);
  std::sort(flows.begin(), flows.end(), by_link_and_lane);
  std::vector<LinkUse> links;
  int lane = -1;
  for (const Flow& flow : flows) {
    const bool same_link = !links.empty() && links.back().link == flow.link;
    if (same_link && flow.lane == lane) continue;  // not the lane's fastest
    lane = flow.lane;
    if (!same_link) links.push_back({flow.link, 0});
    links.back().peak += flow.rate;
  }
  return links;
}

}  // namespace trainyard
