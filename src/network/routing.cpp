#include "network/routing.hpp"

#include "network/graph_routing.hpp"
#include "network/tree_routing.hpp"

namespace trainyard {

std::unique_ptr<Routing> make_routing(const Platform& platform, const RoutingSpec& spec) {
  if (spec.policy == RoutingPolicy::Adaptive)
    throw InfeasibleError({}, "network.routing",
                          "'adaptive' is not simulated; choose static, ecmp or spray");
  return platform.fabric == FabricShape::Graph ? make_graph_routing(platform, spec)
                                               : make_tree_routing(platform, spec);
}

InfeasibleError unreachable(const Platform& platform, GpuId from, GpuId to) {
  const std::string a = gpu_name(platform, from), b = gpu_name(platform, to);
  const bool rails = platform.topology == "rail_only" && !platform.pxn;
  return {{},
          "platform '" + platform.name + "'",
          "no path leads from " + a + " to " + b +
              (rails ? ": their rails are not connected and 'pxn' is off" : "")};
}

}  // namespace trainyard
