#include "network/tree_routing.hpp"

#include "network/node_paths.hpp"
#include "network/routing_choice.hpp"
#include "network/routing_table.hpp"

namespace trainyard {

namespace {

using Row = RoutingTable::Row;
using End = RoutingTable::End;

// What all policies share: the ends of a path inside the nodes, and the latency, which is the same
// on every shortest path because all cables of a level are alike.
class TreeRouting : public Routing {
public:
  explicit TreeRouting(const Platform& platform)
      : platform_(platform), nodes_(platform), table_(make_routing_table(platform)) {}

  void append_path(GpuId from, GpuId to, int queue_pair,
                   std::vector<LinkShare>& out) const override {
    const auto cross = [&out](LinkId link) { out.push_back({link, 1}); };
    if (from == to) return;
    if (nodes_.meet(from, to)) return nodes_.between(from, to, cross);
    const GpuId sender = nodes_.leaves_by(from, to);
    if (sender != from) nodes_.between(from, sender, cross);
    const End& source = end(sender);
    const End& destination = end(to);
    if (!source.leaf.valid() || !destination.leaf.valid()) throw unreachable(platform_, from, to);
    nodes_.to_nic(sender, nic(sender), cross);
    cross(source.nic_up);
    if (!append_fabric(sender, to, queue_pair, out)) throw unreachable(platform_, from, to);
    cross(destination.nic_down);
    nodes_.from_nic(nic(to), to, cross);
  }

  Seconds latency(GpuId from, GpuId to) const override {
    Seconds total;
    const auto cross = [&](LinkId link) { total += of(link); };
    if (from == to) return total;
    if (nodes_.meet(from, to)) {
      nodes_.between(from, to, cross);
      return total;
    }
    const GpuId sender = nodes_.leaves_by(from, to);
    if (sender != from) nodes_.between(from, sender, cross);
    if (!end(sender).leaf.valid() || !end(to).leaf.valid()) throw unreachable(platform_, from, to);
    nodes_.to_nic(sender, nic(sender), cross);
    nodes_.from_nic(nic(to), to, cross);
    return total + of(end(sender).nic_up) + fabric_latency(sender, to) + of(end(to).nic_down);
  }

protected:
  // The links between the leaves of two GPUs' NICs; false if no switch serves both.
  virtual bool append_fabric(GpuId from, GpuId to, int queue_pair,
                             std::vector<LinkShare>& out) const = 0;
  const RoutingTable& table() const { return table_; }
  const End& end(GpuId gpu) const { return table_.ends[gpu.index()]; }

private:
  Seconds of(LinkId link) const { return platform_.links[link.index()].latency; }
  const Nic& nic(GpuId gpu) const {
    return platform_.nics[platform_.gpus[gpu.index()].nic.index()];
  }
  Seconds fabric_latency(GpuId from, GpuId to) const {
    Seconds total;
    const std::int32_t position = end(to).position;
    SwitchId up = end(from).leaf;
    SwitchId down = end(to).leaf;
    while (!RoutingTable::serves(table_.row(up), position)) {
      if (table_.row(up).up_ports == 0) throw unreachable(platform_, from, to);
      total += of(table_.up(table_.row(up), 0).out);
      up = table_.up(table_.row(up), 0).peer;
      down = table_.up(table_.row(down), 0).peer;
      total += of(table_.down(table_.row(down), position, 0).out);
    }
    return total;
  }

  const Platform& platform_;
  NodePaths nodes_;
  RoutingTable table_;
};

// One path, chosen hop by hop.
template <typename Chooser>
class SinglePath final : public TreeRouting {
public:
  SinglePath(const Platform& platform, const RoutingSpec& spec)
      : TreeRouting(platform), chooser_(spec), queue_pairs_(spec.queue_pairs) {}

  int queue_pairs() const override { return queue_pairs_; }
  Alike alike() const override { return Chooser::kAlike; }

private:
  bool append_fabric(GpuId from, GpuId to, int queue_pair,
                     std::vector<LinkShare>& out) const override {
    const typename Chooser::Flow flow = chooser_.flow(from, to, queue_pair);
    const std::int32_t position = end(to).position;
    const Row* row = &table().row(end(from).leaf);
    while (!RoutingTable::serves(*row, position)) {
      if (row->up_ports == 0) return false;
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
    return true;
  }

  Chooser chooser_;
  int queue_pairs_;
};

// Every shortest path at once. The switches of a subtree that a flow can reach at one level are
// neighbours; each carries the same share, and so does each of their ports.
class Spray final : public TreeRouting {
public:
  explicit Spray(const Platform& platform) : TreeRouting(platform) {}

  Alike alike() const override { return Alike::BetweenLeaves; }

private:
  bool append_fabric(GpuId from, GpuId to, int /*queue_pair*/,
                     std::vector<LinkShare>& out) const override {
    return append_level(end(from).leaf, end(to).leaf, end(to).position, out);
  }

  // `up` and `down` are the first switches of their subtrees, at the same level.
  bool append_level(SwitchId up, SwitchId down, std::int32_t position,
                    std::vector<LinkShare>& out) const {
    if (up == down) return true;
    const Row& low = table().row(up);
    if (low.up_ports == 0) return false;
    const SwitchId above = table().up(table().row(down), 0).peer;
    const Row& high = table().row(above);
    const double share = 1.0 / (low.wide * low.up_ports);
    for (std::uint32_t i = 0; i < low.wide; ++i)
      for (std::uint32_t port = 0; port < low.up_ports; ++port)
        out.push_back({table().up(table().rows[up.index() + i], port).out, share});
    if (!append_level(table().up(low, 0).peer, above, position, out)) return false;
    for (std::uint32_t i = 0; i < high.wide; ++i)
      for (std::uint32_t cable = 0; cable < high.cables_down; ++cable)
        out.push_back({table().down(table().rows[above.index() + i], position, cable).out, share});
    return true;
  }
};

}  // namespace

std::unique_ptr<Routing> make_tree_routing(const Platform& platform, const RoutingSpec& spec) {
  if (spec.policy == RoutingPolicy::Static)
    return std::make_unique<SinglePath<DModK>>(platform, RoutingSpec{});
  if (spec.policy == RoutingPolicy::Ecmp) return std::make_unique<SinglePath<Ecmp>>(platform, spec);
  return std::make_unique<Spray>(platform);
}

}  // namespace trainyard
