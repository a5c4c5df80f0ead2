#include "network/graph_routing.hpp"

#include "base/rng.hpp"
#include "network/graph_ends.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using Links = std::vector<LinkShare>;
using Ports = GraphRouting::Ports;

// How one path is chosen among equals: by destination, or by hash.
class Choice {
public:
  explicit Choice(const RoutingSpec& spec)
      : hashed_(spec.policy == RoutingPolicy::Ecmp), seed_(mix(spec.seed)) {}

  struct Flow {
    std::uint64_t hash = 0;
    std::uint32_t node_turn = 0;  // over a GPU's ports: neighbours take turns
    std::uint32_t position = 0;   // of the destination
  };

  Flow flow(GpuId from, GpuId to, int queue_pair, const Platform& platform) const {
    const auto source = static_cast<std::uint64_t>(from.value()) << 32U;
    const std::uint64_t pair = source | static_cast<std::uint64_t>(to.value());
    const auto local = to.value() - platform.node_of(to).first_gpu.value();
    return {mix(mix(seed_ ^ pair) + static_cast<std::uint64_t>(queue_pair)),
            static_cast<std::uint32_t>(platform.gpus[to.index()].node.value() + local), 0};
  }
  bool hashed() const { return hashed_; }
  std::uint32_t port(const Flow& flow, std::uint32_t choices) const {
    return hashed_ ? pick(flow, 0, choices) : flow.node_turn % choices;
  }
  std::uint32_t last_port(const Flow& flow, std::uint32_t choices) const {
    return hashed_ ? pick(flow, 1, choices) : flow.node_turn % choices;
  }
  std::uint32_t cable(const Flow& flow, SwitchId at, std::uint32_t wide,
                      std::uint32_t choices) const {
    if (hashed_) return pick(flow, 2 + static_cast<std::uint64_t>(at.value()), choices);
    return flow.position / wide % choices;
  }

private:
  static std::uint32_t pick(const Flow& flow, std::uint64_t where, std::uint32_t choices) {
    const std::uint64_t high = mix(flow.hash + where) >> 32U;
    return static_cast<std::uint32_t>(high * choices >> 32U);
  }
  bool hashed_;
  std::uint64_t seed_;
};

class SinglePath final : public GraphRouting {
public:
  SinglePath(const Platform& platform, const RoutingSpec& spec)
      : GraphRouting(platform),
        choice_(spec),
        queue_pairs_(spec.policy == RoutingPolicy::Ecmp ? spec.queue_pairs : 1) {}

  int queue_pairs() const override { return queue_pairs_; }
  Alike alike() const override {
    return choice_.hashed() || several_ports() ? Alike::Nothing : Alike::ToDestination;
  }

  Seconds latency(GpuId from, GpuId to) const override {
    Seconds longest;
    Links unused;
    for (int pair = 0; pair < queue_pairs_ && from != to; ++pair)
      longest = std::max(longest, append(from, to, pair, unused));
    return longest;
  }

private:
  Seconds cross_fabric(const Trip& trip, int queue_pair, Links& out) const override {
    Seconds total;
    const auto cross = [&](LinkId link) {
      out.push_back({link, 1});
      total += of(link);
    };
    Choice::Flow flow = choice_.flow(trip.from, trip.to, queue_pair, platform());
    const auto near = [&](NicId p) { return distance(leaf(p), trip.destination) == trip.length; };
    const NicId first =
        chosen(trip.source, near, [&](std::uint32_t n) { return choice_.port(flow, n); });
    SwitchId at = leaf(first);
    flow.position = position_of(trip, at);
    nodes().to_nic(trip.from, nic(first), cross);
    cross(nic(first).up);
    for (int left = trip.length; left > 0; --left) at = hop(trip, flow, at, left, cross);
    const NicId last = chosen(
        trip.destination, [&](NicId p) { return leaf(p) == at; },
        [&](std::uint32_t n) { return choice_.last_port(flow, n); });
    cross(nic(last).down);
    nodes().from_nic(nic(last), trip.to, cross);
    return total;
  }

  // Of the ports that will do, the one that `choose` picks out of so many.
  template <typename WillDo, typename Choose>
  static NicId chosen(const Ports& ports, const WillDo& will_do, const Choose& choose) {
    auto left =
        choose(static_cast<std::uint32_t>(std::count_if(ports.begin(), ports.end(), will_do)));
    return *std::find_if(ports.begin(), ports.end(),
                         [&](NicId port) { return will_do(port) && left-- == 0; });
  }

  // Of the destination's port that is nearest to a switch.
  std::uint32_t position_of(const Trip& trip, SwitchId at) const {
    for (const NicId port : trip.destination)
      if (table().distance(at, leaf(port)) == trip.length)
        return static_cast<std::uint32_t>(nic(port).position);
    return 0;
  }

  // Cables are counted peer by peer, first cables first: neighbours in turn take different peers.
  template <typename Cross>
  SwitchId hop(const Trip& trip, const Choice::Flow& flow, SwitchId at, int left,
               const Cross& cross) const {
    const auto& around = table().neighbours(at);
    const auto nearer = [&](const GraphTable::Neighbour& n) {
      return distance(n.peer, trip.destination) == left - 1;
    };
    std::uint32_t cables = 0;
    for (const auto& neighbour : around)
      if (nearer(neighbour)) cables += static_cast<std::uint32_t>(neighbour.cables.size());
    std::uint32_t skip = choice_.cable(flow, at, table().wide(at), cables);
    for (std::size_t cable = 0;; ++cable)
      for (const auto& neighbour : around) {
        if (neighbour.cables.size() <= cable || !nearer(neighbour) || skip-- > 0) continue;
        cross(neighbour.cables[cable]);
        return neighbour.peer;
      }
  }

  Choice choice_;
  int queue_pairs_;
};

}  // namespace

std::unique_ptr<Routing> make_graph_routing(const Platform& platform, const RoutingSpec& spec) {
  if (spec.policy == RoutingPolicy::Spray) return make_graph_spray(platform);
  return std::make_unique<SinglePath>(platform, spec);
}

}  // namespace trainyard
