// FabricZone: the platform as one flat SimGrid netzone with our own routes.
//
// SimGrid's cluster zones give one static path a pair, cannot hang an NVLink node under a fat-tree
// leaf and misroute when nested. Hosts are GPUs (created first: a netpoint's id is the GPU's
// number), then one service host for the scheduler. Links have no latency here: it is paid outside
// the flow, because SimGrid weighs sharing by latency. A route is a pure function of the pair: a
// query never changes a result.
#pragma once

#include "network/routing.hpp"

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <vector>

namespace trainyard {

class FabricZone final : public simgrid::kernel::routing::NetZoneImpl {
public:
  explicit FabricZone(const std::string& name) : NetZoneImpl(name) {}

  // `with_links`: only SimGrid's own network model looks at them; the flow model keeps its own.
  void build(const Platform& platform, const Routing& routing,
             const std::vector<double>& capacities, bool with_links);

  simgrid::s4u::Host* gpu(GpuId id) const { return hosts_[id.index()]; }
  simgrid::s4u::Host* service() const { return hosts_.back(); }

  void get_local_route(const simgrid::kernel::routing::NetPoint* from,
                       const simgrid::kernel::routing::NetPoint* to,
                       simgrid::kernel::routing::Route* into, double* latency) override;

private:
  const Routing* routing_ = nullptr;
  std::vector<simgrid::s4u::Host*> hosts_;
  std::vector<simgrid::s4u::Link*> links_;
};

}  // namespace trainyard
