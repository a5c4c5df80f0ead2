#include "network/fabric_zone.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>

namespace trainyard {

namespace s4u = simgrid::s4u;

void FabricZone::build(const Platform& platform, const Routing& routing,
                       const std::vector<double>& capacities, bool with_links) {
  routing_ = &routing;
  hosts_.reserve(platform.gpus.size() + 1);
  for (std::size_t gpu = 0; gpu < platform.gpus.size(); ++gpu)
    hosts_.push_back(create_host("gpu" + std::to_string(gpu), {1e9}));
  hosts_.push_back(create_host("scheduler", {1e9}));
  for (s4u::Host* host : hosts_) host->seal();
  if (!with_links) return;
  for (std::size_t link = 0; link < platform.links.size(); ++link) {
    links_.push_back(create_link(platform.links[link].name, {capacities[link]}));
    if (!platform.links[link].shared)
      links_.back()->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
    links_.back()->seal();
  }
}

void FabricZone::get_local_route(const simgrid::kernel::routing::NetPoint* from,
                                 const simgrid::kernel::routing::NetPoint* to,
                                 simgrid::kernel::routing::Route* into, double* /*latency*/) {
  const GpuId source(from->id()), target(to->id());
  if (links_.empty() || source == target) return;
  if (source.index() + 1 >= hosts_.size() || target.index() + 1 >= hosts_.size()) return;
  std::vector<LinkShare> path;
  routing_->append_path(source, target, 0, path);
  for (const LinkShare& hop : path)
    into->link_list_.push_back(links_[hop.link.index()]->get_impl());
}

}  // namespace trainyard
