// The analytic model: every port at its nominal rate, and nothing in between.

#include "collectives/algorithms.hpp"
#include "network/analytic_network.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

constexpr double kNic = 50e9;  // bytes/s, as examples.hpp has it

std::vector<GpuId> first_gpus(int count) {
  std::vector<GpuId> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ids.emplace_back(i);
  return ids;
}

// Two leaves of n one-GPU nodes, n uplinks each.
Platform two_leaves(int n) {
  const std::string count = std::to_string(n);
  return build(
      with(tree("fat_tree", "2", count + ",2", "1," + count, "1,1"), single_gpu_nodes(2 * n)));
}

CollectiveSpec ring(int ranks, Bytes size) {
  const Collective collective{CollectiveKind::AllReduce, ranks, size};
  return {collective, find_algorithm(collective.kind, "ring"), {first_gpus(ranks)}};
}

TEST(Analytic, IsWhatFlowTakesWhereTheFabricIsNotInTheWay) {
  const Platform platform = two_leaves(4);
  const auto routing = make_routing(platform, {});  // D-mod-k: a ring never collides
  const Lowered groups = lower(ring(8, mebibytes(64)), platform, *routing);
  EXPECT_DOUBLE_EQ(in_seconds(analytic_duration(groups, platform)),
                   in_seconds(alone_duration(groups, nominal_capacities(platform))));
}

// A ring that crosses between the leaves at every rank: hashed onto as many uplinks as there are
// ranks on a leaf, some share one.
TEST(Analytic, KnowsNoCollisionOfPaths) {
  const int n = 8;
  const Platform platform = two_leaves(n);
  CollectiveSpec spec = ring(2 * n, mebibytes(64));
  for (int rank = 0; rank < 2 * n; ++rank)
    spec.members.front()[static_cast<std::size_t>(rank)] = GpuId(rank % 2 * n + rank / 2);
  RoutingSpec ecmp;
  ecmp.policy = RoutingPolicy::Ecmp;
  const auto routing = make_routing(platform, ecmp);
  const Lowered groups = lower(spec, platform, *routing);

  const double port = 2 * 15.0 / 16 * static_cast<double>(mebibytes(64).count()) / kNic;
  const Seconds latency = groups.front()->latency;
  const Seconds analytic = analytic_duration(groups, platform) - latency;
  const Seconds flow = alone_duration(groups, nominal_capacities(platform)) - latency;
  EXPECT_NEAR(in_seconds(analytic), port, 1e-9);
  EXPECT_GE(flow / analytic, 2);  // the fullest uplink carries two transfers, or three
}

struct Ends final : Listener {
  void completed(std::int64_t tag) override { tags.push_back(tag); }
  std::vector<std::int64_t> tags;
};

// Two jobs on the same ports at the same time take as long as one.
TEST(AnalyticNetwork, SharesNothingAndCountsEveryByte) {
  const int n = 8;
  const Platform platform = two_leaves(n / 2);
  const auto routing = make_routing(platform, {});
  Fluid fluid(nominal_capacities(platform), platform);
  AnalyticNetwork network(fluid, platform);
  const CollectiveSpec spec = ring(n, mebibytes(64));
  const Network::Prepared prepared = network.prepare(std::make_shared<const CollectiveSpec>(spec),
                                                     lower(spec, platform, *routing));
  Ends ends;
  const Fluid::Instant begin = fluid.now();
  network.start(prepared, 0, &ends, 7);
  network.start(prepared, 1, &ends, 8);
  network.start(prepared, 2, &ends, 9);
  network.withdraw_all(2);
  const Seconds expected = analytic_duration(lower(spec, platform, *routing), platform);
  while (fluid.until_next() < forever()) fluid.advance(fluid.until_next());

  EXPECT_EQ(ends.tags, (std::vector<std::int64_t>{7, 8}));
  EXPECT_NEAR(in_seconds(fluid.now() - begin), in_seconds(expected), 1e-12);
  const double edge = 2.0 * (n - 1) / n * static_cast<double>(mebibytes(64).count());
  network.credit(prepared, 10);
  const LinkId port = platform.nics.front().up;
  EXPECT_DOUBLE_EQ(network.link_bytes()[port.index()], 12 * edge);
  network.drop(prepared);
  EXPECT_DOUBLE_EQ(network.link_bytes()[port.index()], 12 * edge);
}

}  // namespace
}  // namespace trainyard
