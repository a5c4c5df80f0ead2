// Adaptive routing: a flow group's transfers divided anew over their shortest paths, given what
// everybody else moves now.
//
// Bundle by bundle, those that cross a full link are divided so that the fullest cable they use is
// as empty as can be; packets take the emptier queue. Repeated until nobody gains (Fluid does that
// whenever rates change), this is an equilibrium: no transfer finds a better division of its own.
// One bundle alone reaches the max-flow of its paths, and next to flows that cannot divide it takes
// what they leave.
//
// Given up: the optimum over all bundles of all jobs, which no switch knows either; the time that
// switches need to notice; paths that are not shortest. A group's share of a full link stays that
// of the flows it was lowered to, however few bytes of them are left there. Who made a flow go
// another way is not on its account of rivals.
#pragma once

#include "network/flow_group.hpp"

#include <optional>
#include <vector>

namespace trainyard {

// What a group finds on the links.
struct Surroundings {
  const Capacities& capacities;
  std::vector<double> carried;  // by Ways::links: bytes/s of everybody, the group included
  double rate = 0;              // the group's
};

// The group divided better, or nothing if that would change less than hysteresis asks for. Its
// length and latency stay: what is left of it is left as before.
std::optional<FlowGroup> divided_better(const FlowGroup& group, const Surroundings& around);

// Whether a link that its bundles might avoid holds the group to its alone_rate().
bool is_held_by_ways(const FlowGroup& group, const Capacities& capacities);

// As the group divides with all links to itself.
FlowGroup divided_alone(FlowGroup group, const Capacities& capacities);

}  // namespace trainyard
