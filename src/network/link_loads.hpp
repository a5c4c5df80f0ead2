// The bytes and flows on every link that a group of transfers crosses, summed up.
#pragma once

#include "network/flow_group.hpp"
#include "network/routing.hpp"
#include "platforms/platform.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace trainyard {

struct Load {
  double bytes = 0;
  double flows = 0;
  double largest = 0;  // bytes of the largest single flow

  void operator+=(const Load& more) {
    bytes += more.bytes;
    flows += more.flows;
    largest = std::max(largest, more.largest);
  }
};

class LinkLoads {
public:
  LinkLoads(const Platform& platform, const Routing& routing);
  LinkLoads(const LinkLoads&) = delete;
  LinkLoads& operator=(const LinkLoads&) = delete;
  ~LinkLoads();

  // `connections` transfers of `size` as flows, one a queue pair. Without bytes they are sent all
  // the same, in no time, and are no flows.
  Load load(Bytes size, double connections = 1) const;

  // One transfer, over its whole path.
  void add(GpuId from, GpuId to, Bytes size);

  // Flows over one link. Nothing if no bytes flow or the link is invalid.
  void add(const LinkShare& hop, const Load& more) {
    if (more.flows == 0 || !hop.link.valid()) return;
    Load& load = loads_[hop.link.index()];
    if (load.flows == 0) touched_.push_back(hop.link);
    load += {more.bytes * hop.share, more.flows * hop.share, more.largest * hop.share};
  }

  // Flows over consecutive links of a path.
  void add(const LinkShare* first, const LinkShare* last, const Load& more);

  // The phase takes at least this long, `rounds` times.
  void at_least(Seconds latency) { slowest_ = std::max(slowest_, latency); }
  void end_phase(int rounds);

  FlowGroup group();

  const Platform& platform() const { return platform_; }
  const Routing& routing() const { return routing_; }

private:
  double bytes_per_flow_on_bottleneck() const;

  const Platform& platform_;
  const Routing& routing_;
  std::vector<Load> loads_;  // by LinkId; lent, see link_loads.cpp
  std::vector<LinkId> touched_;
  std::vector<LinkShare> path_;
  std::optional<BundleSums> bundles_;  // under adaptive routing
  int queue_pairs_;
  Seconds slowest_;  // of this phase
  Seconds latency_;  // of the phases that have ended
};

}  // namespace trainyard
