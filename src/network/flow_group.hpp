// A FlowGroup: transfers that progress together, as one number (its rate) and one row of link
// demands.
//
// A pipelined ring moves at the pace of its slowest edge and an all-to-all is n^2 transfers: as
// separate flows the first would over-use its fast edges and the second would explode. So a Phase
// becomes one group.
//
// Demand is normalised on the group's bottleneck link when alone: there, one unit of progress is
// one byte of each flow (transfer x queue pair) that crosses it. Two groups that meet on a link
// therefore share it flow by flow, as fair queueing between queue pairs would, and the rate of a
// single transfer is in bytes/s.
#pragma once

#include "collectives/collective.hpp"
#include "network/adaptive/bundle.hpp"
#include "network/routing.hpp"
#include "platforms/platform.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace trainyard {

struct Demand {
  LinkId link;
  double load;  // bytes on this link per unit of progress, > 0
};

struct FlowGroup {
  std::vector<Demand> demands;  // by LinkId, each link once
  std::vector<Demand> caps;     // unshared links: the largest load of a single flow on them
  double length = 0;            // progress to be made: bytes of one flow on the bottleneck link
  Seconds latency;              // paid before the flow starts
  // What protocol and GPUs allow, however idle the links; infinite unless calibrated.
  double rate_cap = std::numeric_limits<double>::infinity();
  // What adaptive routing may divide otherwise, in `demands` as it is divided now; null: nothing.
  std::shared_ptr<const Ways> ways{};
};

// Bytes per second of every link by LinkId, after slow-link factors.
using Capacities = std::vector<double>;
Capacities nominal_capacities(const Platform& platform);

// The group of phases that are pipelined together (usually one), played at the same time by several
// communicators that are alike (usually one): `members[c][rank]` is the GPU of each rank. Transfers
// between GPUs with no link between them cost nothing.
FlowGroup lower(const std::vector<Phase>& pipelined, const std::vector<std::vector<GpuId>>& members,
                const Platform& platform, const Routing& routing);

// The rate the group has with every link to itself; infinite if it crosses no link and has no cap.
double alone_rate(const FlowGroup& group, const Capacities& capacities);

// Latency and flow, alone.
Seconds alone_duration(const FlowGroup& group, const Capacities& capacities);

}  // namespace trainyard
