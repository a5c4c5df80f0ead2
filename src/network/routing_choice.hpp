// How a single path is chosen, hop by hop: by destination (static) or by hash (ecmp).
//
// INVARIANT: pure functions of the flow and the switch; what a switch chooses depends on nothing
// that happened before.
#pragma once

#include "base/rng.hpp"
#include "network/routing.hpp"
#include "network/routing_table.hpp"

#include <cstdint>

namespace trainyard {

// D-mod-k for trees with parallel cables (Zahavi, "Fat-tree routing and node ordering providing
// contention free traffic for MPI global collectives", 2012). At a switch of level l below which
// the destination is not, the port up is
//   q = floor(destination position / (parents[1] * .. * parents[l])) mod (parents * cables)
// of level l+1: parent q mod parents, cable q div parents. On the way down the parent is given and
// the cable is the same q div parents. So on a non-blocking full tree every destination has its
// own link at every level, up and down, and shifts (destination = source + k) never collide.
class DModK {
public:
  static constexpr Alike kAlike = Alike::ToDestination;

  explicit DModK(const RoutingSpec& /*spec*/) {}
  struct Flow {};
  Flow flow(GpuId /*from*/, GpuId /*to*/, int /*queue_pair*/) const { return {}; }

  static std::uint32_t up_port(const Flow& /*flow*/, const RoutingTable::Row& row,
                               std::int32_t destination) {
    const std::uint32_t q = turn(row, destination);
    const std::uint32_t parents = row.up_ports / row.cables_up;
    return q % parents * row.cables_up + q / parents;
  }
  // `below` is the switch that the cable leads down to.
  static std::uint32_t down_cable(const Flow& /*flow*/, const RoutingTable::Row& below,
                                  std::int32_t destination) {
    return turn(below, destination) / (below.up_ports / below.cables_up);
  }

private:
  static std::uint32_t turn(const RoutingTable::Row& row, std::int32_t destination) {
    return static_cast<std::uint32_t>(destination) / row.wide % row.up_ports;
  }
};

// Every switch hashes (source, destination, queue pair) with a seed of its level and direction.
class Ecmp {
public:
  static constexpr Alike kAlike = Alike::Latency;

  explicit Ecmp(const RoutingSpec& spec) : seed_(mix(spec.seed)) {}
  struct Flow {
    std::uint64_t hash;
  };
  Flow flow(GpuId from, GpuId to, int queue_pair) const {
    const auto source = static_cast<std::uint64_t>(from.value()) << 32U;
    const std::uint64_t pair = source | static_cast<std::uint64_t>(to.value());
    return {mix(mix(seed_ ^ pair) + static_cast<std::uint64_t>(queue_pair))};
  }

  static std::uint32_t up_port(const Flow& flow, const RoutingTable::Row& row,
                               std::int32_t /*destination*/) {
    return pick(flow, 2 * row.level, row.up_ports);
  }
  static std::uint32_t down_cable(const Flow& flow, const RoutingTable::Row& below,
                                  std::int32_t /*destination*/) {
    return pick(flow, 2 * below.level + 1, below.cables_up);
  }

private:
  static std::uint32_t pick(const Flow& flow, std::int32_t where, std::uint32_t choices) {
    const std::uint64_t high = mix(flow.hash + static_cast<std::uint64_t>(where)) >> 32U;
    return static_cast<std::uint32_t>(high * choices >> 32U);
  }
  std::uint64_t seed_;
};

}  // namespace trainyard
