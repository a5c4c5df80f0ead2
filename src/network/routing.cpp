#include "network/routing.hpp"

#include "network/graph_routing.hpp"
#include "network/tree_routing.hpp"

namespace trainyard {

namespace {

// Every shortest path, to be divided over later.
class Adaptive final : public Routing {
public:
  explicit Adaptive(std::unique_ptr<Routing> spray) : spray_(std::move(spray)) {}

  void append_path(GpuId from, GpuId to, int queue_pair,
                   std::vector<LinkShare>& out) const override {
    spray_->append_path(from, to, queue_pair, out);
  }
  Seconds latency(GpuId from, GpuId to) const override { return spray_->latency(from, to); }
  bool divides() const override { return true; }
  Alike alike() const override { return spray_->alike(); }

private:
  std::unique_ptr<Routing> spray_;
};

}  // namespace

std::unique_ptr<Routing> make_routing(const Platform& platform, const RoutingSpec& spec) {
  if (spec.policy == RoutingPolicy::Adaptive) {
    RoutingSpec spray = spec;
    spray.policy = RoutingPolicy::Spray;
    return std::make_unique<Adaptive>(make_routing(platform, spray));
  }
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
