#include "network/routing.hpp"

#include "base/error.hpp"
#include "network/routing_choice.hpp"
#include "network/routing_table.hpp"

namespace trainyard {

namespace {

using Row = RoutingTable::Row;
using End = RoutingTable::End;

// What all policies share: the paths inside a node, the NICs, and the latency, which is the same
// on every shortest path because all cables of a level are alike.
class TreeRouting : public Routing {
public:
  explicit TreeRouting(const Platform& platform)
      : platform_(platform), table_(make_routing_table(platform)) {}

  Seconds latency(GpuId from, GpuId to) const override {
    const End& source = table_.ends[from.index()];
    const End& destination = table_.ends[to.index()];
    if (from == to) return {};
    if (source.node == destination.node) return of(source.nvlink_up) + of(destination.nvlink_down);
    Seconds total = of(source.nic_up) + of(destination.nic_down);
    SwitchId up = source.leaf;
    SwitchId down = destination.leaf;
    while (!RoutingTable::serves(table_.row(up), destination.position)) {
      total += of(table_.up(table_.row(up), 0).out);
      up = table_.up(table_.row(up), 0).peer;
      down = table_.up(table_.row(down), 0).peer;
      total += of(table_.down(table_.row(down), destination.position, 0).out);
    }
    return total;
  }

protected:
  const RoutingTable& table() const { return table_; }
  const End& end(GpuId gpu) const { return table_.ends[gpu.index()]; }
  void append_nvlink(GpuId from, GpuId to, std::vector<LinkShare>& out) const {
    if (from == to) return;
    out.push_back({end(from).nvlink_up, 1});
    out.push_back({end(to).nvlink_down, 1});
  }

private:
  Seconds of(LinkId link) const { return platform_.links[link.index()].latency; }
  const Platform& platform_;
  RoutingTable table_;
};

// One path, chosen hop by hop.
template <typename Chooser>
class SinglePath final : public TreeRouting {
public:
  SinglePath(const Platform& platform, const RoutingSpec& spec)
      : TreeRouting(platform), chooser_(spec), queue_pairs_(spec.queue_pairs) {}

  int queue_pairs() const override { return queue_pairs_; }

  void append_path(GpuId from, GpuId to, int queue_pair,
                   std::vector<LinkShare>& out) const override {
    const End& source = end(from);
    const End& destination = end(to);
    if (source.node == destination.node) return append_nvlink(from, to, out);
    out.push_back({source.nic_up, 1});
    append_fabric(source, destination, chooser_.flow(from, to, queue_pair), out);
    out.push_back({destination.nic_down, 1});
  }

private:
  void append_fabric(const End& source, const End& destination, const typename Chooser::Flow& flow,
                     std::vector<LinkShare>& out) const {
    const std::int32_t position = destination.position;
    const Row* row = &table().row(source.leaf);
    while (!RoutingTable::serves(*row, position)) {
      const Port& port = table().up(*row, Chooser::up_port(flow, *row, position));
      out.push_back({port.out, 1});
      row = &table().row(port.peer);
    }
    while (row->level > 1) {
      const Row& below = table().row(table().down(*row, position, 0).peer);
      const std::uint32_t cable =
          row->cables_down == 1 ? 0 : Chooser::down_cable(flow, below, position);
      out.push_back({table().down(*row, position, cable).out, 1});
      row = &below;
    }
  }

  Chooser chooser_;
  int queue_pairs_;
};

// Every shortest path at once. The switches of a subtree that a flow can reach at one level are
// neighbours; each carries the same share, and so does each of their ports.
class Spray final : public TreeRouting {
public:
  explicit Spray(const Platform& platform) : TreeRouting(platform) {}

  void append_path(GpuId from, GpuId to, int /*queue_pair*/,
                   std::vector<LinkShare>& out) const override {
    const End& source = end(from);
    const End& destination = end(to);
    if (source.node == destination.node) return append_nvlink(from, to, out);
    out.push_back({source.nic_up, 1});
    append_level(source.leaf, destination.leaf, destination.position, out);
    out.push_back({destination.nic_down, 1});
  }

private:
  // `up` and `down` are the first switches of their subtrees, at the same level.
  void append_level(SwitchId up, SwitchId down, std::int32_t position,
                    std::vector<LinkShare>& out) const {
    if (up == down) return;
    const Row& low = table().row(up);
    const SwitchId above = table().up(table().row(down), 0).peer;
    const Row& high = table().row(above);
    const double share = 1.0 / (low.wide * low.up_ports);
    for (std::uint32_t i = 0; i < low.wide; ++i)
      for (std::uint32_t port = 0; port < low.up_ports; ++port)
        out.push_back({table().up(table().rows[up.index() + i], port).out, share});
    append_level(table().up(low, 0).peer, above, position, out);
    for (std::uint32_t i = 0; i < high.wide; ++i)
      for (std::uint32_t cable = 0; cable < high.cables_down; ++cable)
        out.push_back({table().down(table().rows[above.index() + i], position, cable).out, share});
  }
};

}  // namespace

std::unique_ptr<Routing> make_routing(const Platform& platform, const RoutingSpec& spec) {
  if (platform.fabric == FabricShape::Graph)
    throw InfeasibleError({}, "platform", "traffic cannot be routed over a graph yet");
  switch (spec.policy) {
    case RoutingPolicy::Static:
      return std::make_unique<SinglePath<DModK>>(platform, RoutingSpec{});
    case RoutingPolicy::Ecmp:
      return std::make_unique<SinglePath<Ecmp>>(platform, spec);
    case RoutingPolicy::Spray:
      return std::make_unique<Spray>(platform);
    case RoutingPolicy::Adaptive:
      throw InfeasibleError({}, "network.routing",
                            "'adaptive' is not simulated; choose static, ecmp or spray");
  }
  return nullptr;
}

}  // namespace trainyard
