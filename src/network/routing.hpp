// Routing: which links a transfer between two GPUs crosses, and with which share of its bytes.
//
// A pure function of (source, destination, queue pair, seed): actors run in batches, and a query
// must never change a result. Inside a node or an NVLink domain the path is NodePaths' affair;
// between them it is PCIe where described, NIC up, the fabric, NIC down, PCIe. With PXN (property
// `pxn`), traffic to another rail goes by NVLink to the GPU of its node on that rail first.
//   static  destination tables (on trees D-mod-k, Zahavi): one path a pair
//   ecmp    a seeded hash picks a path per queue pair
//   spray   every shortest path carries an equal share
//   adaptive  spray, until flow groups are divided anew by what the links carry (adaptive/division)
#pragma once

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/quantity.hpp"
#include "platforms/platform.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace trainyard {

struct LinkShare {
  LinkId link;
  double share = 1;  // of the transfer's bytes, in (0, 1]
};

// Which pairs of GPUs take the same way, for who adds up many of them. Each includes those before;
// said of pairs that need the fabric, with the GPU whose NIC the traffic leaves by as the source.
enum class Alike {
  Nothing,
  Latency,        // between two leaves, whoever is behind them
  ToDestination,  // all links between the NICs: from one leaf to one GPU
  BetweenLeaves,  // all links between the NICs: from one leaf to any GPU of another
};

class Routing {
public:
  Routing() = default;
  Routing(const Routing&) = delete;
  Routing& operator=(const Routing&) = delete;
  virtual ~Routing() = default;

  // Appends the links of the path, each at most once; nothing for from == to. Links come in the
  // order they are crossed, and the shares of those at one distance add up to 1.
  virtual void append_path(GpuId from, GpuId to, int queue_pair,
                           std::vector<LinkShare>& out) const = 0;

  // Both throw InfeasibleError, naming both ends, if there is no path.
  //
  // The sum of link latencies along the path (with spray: of the longest).
  virtual Seconds latency(GpuId from, GpuId to) const = 0;

  // How many ways the traffic of one connection is split, each routed on its own (ecmp).
  virtual int queue_pairs() const { return 1; }

  // Whether switches may divide transfers otherwise than the shares say, over the same links.
  virtual bool divides() const { return false; }

  // More than Nothing only where no GPU has several NICs.
  virtual Alike alike() const { return Alike::Nothing; }
};

struct RoutingSpec {
  RoutingPolicy policy = RoutingPolicy::Static;
  int queue_pairs = 1;     // ecmp only
  std::uint64_t seed = 0;  // ecmp only
};

// For platforms built from a topology; the platform must outlive the routing. Trees are routed by
// arithmetic, graphs by distance tables.
std::unique_ptr<Routing> make_routing(const Platform& platform, const RoutingSpec& spec);

// What to throw for a pair without a path.
InfeasibleError unreachable(const Platform& platform, GpuId from, GpuId to);

}  // namespace trainyard
