// All-to-alls, added up by what their pairs share: against every pair over its own whole path.

#include "base/rng.hpp"
#include "network/flow_group.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard {
namespace {

using namespace testing;

constexpr double kRounding = 1e-12;

// Ways into the fabric differ in latency, some links are not shared.
void make_uneven(Platform& platform) {
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    Link& link = platform.links[i];
    if (link.link_class != LinkClass::Fabric)
      link.latency += nanoseconds(static_cast<double>(mix(i) % 1000));
    link.shared = mix(i + 7) % 5 != 0;
  }
}

// All GPUs in an order of no meaning.
std::vector<GpuId> shuffled_gpus(const Platform& platform) {
  std::vector<GpuId> gpus;
  for (int i = 0; i < platform.gpu_count(); ++i) gpus.emplace_back(i);
  std::sort(gpus.begin(), gpus.end(), [](GpuId a, GpuId b) {
    return mix(static_cast<std::uint64_t>(a.value())) < mix(static_cast<std::uint64_t>(b.value()));
  });
  return gpus;
}

// Chunks of different sizes, some empty.
AllPairs uneven_pairs(int ranks, int group, int stride) {
  AllPairs pairs{group, stride, {}};
  for (int to = 0; to < ranks; ++to) pairs.to.push_back(bytes(to * 37 % 11 * 1000));
  return pairs;
}

std::vector<Edge> edges_of(const AllPairs& pairs) {
  std::vector<Edge> edges;
  for (int to = 0; to < static_cast<int>(pairs.to.size()); ++to)
    for (int i = 0; i < pairs.group; ++i)
      if (const Rank from = pairs.member(to, i); from != Rank{to})
        edges.push_back({from, Rank{to}, pairs.to[static_cast<std::size_t>(to)]});
  return edges;
}

void expect_same(const std::vector<Demand>& actual, const std::vector<Demand>& expected,
                 const Platform& platform) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const std::string& name = platform.links[expected[i].link.index()].name;
    ASSERT_EQ(actual[i].link, expected[i].link) << name;
    EXPECT_NEAR(actual[i].load, expected[i].load, kRounding * expected[i].load) << name;
  }
}

void expect_sums_of_pairs(const Platform& platform, const RoutingSpec& spec) {
  const auto routing = make_routing(platform, spec);
  const std::vector<GpuId> gpus = shuffled_gpus(platform);
  const int ranks = platform.gpu_count();
  for (const auto& [group, stride] :
       {std::pair(ranks, 1), std::pair(ranks / 2, 2), std::pair(2, 1), std::pair(1, 1)}) {
    const int covered = ranks / (group * stride) * group * stride;
    const AllPairs pairs = uneven_pairs(covered, group, stride);
    const FlowGroup actual = lower({{pairs, 3}}, {gpus}, platform, *routing);
    const FlowGroup expected = lower({{edges_of(pairs), 3}}, {gpus}, platform, *routing);
    expect_same(actual.demands, expected.demands, platform);
    expect_same(actual.caps, expected.caps, platform);
    EXPECT_NEAR(actual.length, expected.length, kRounding * expected.length);
    EXPECT_NEAR(in_seconds(actual.latency), in_seconds(expected.latency),
                kRounding * in_seconds(expected.latency));
  }
}

bool all_reach_all(const Platform& platform) {
  return platform.topology != "rail_only" || platform.pxn;
}

const std::vector<RoutingSpec>& policies() {
  static const std::vector<RoutingSpec> all = {{RoutingPolicy::Static, 1, 0},
                                               {RoutingPolicy::Ecmp, 1, 5},
                                               {RoutingPolicy::Ecmp, 3, 9},
                                               {RoutingPolicy::Spray, 1, 0}};
  return all;
}

TEST(AllPairs, AreTheSumOfEveryPairOnEveryTopologyUnderEveryPolicy) {
  for (std::size_t i = 0; i < examples().size(); ++i)
    for (const bool pxn : {false, true})
      for (const RoutingSpec& spec : policies()) {
        Platform platform = build(examples()[i]);
        platform.pxn = pxn;
        make_uneven(platform);
        SCOPED_TRACE("example " + std::to_string(i) + " " + platform.topology + ", pxn " +
                     std::to_string(pxn) + ", policy " +
                     std::to_string(static_cast<int>(spec.policy)));
        if (all_reach_all(platform)) expect_sums_of_pairs(platform, spec);
      }
}

TEST(AllPairs, AreTheSumOfEveryPairOnTreesRoutedAsGraphs) {
  for (const PropertyList& example : tree_examples())
    for (const RoutingSpec& spec : policies()) {
      Platform platform = build(example);
      platform.fabric = FabricShape::Graph;
      make_uneven(platform);
      SCOPED_TRACE(platform.topology);
      if (all_reach_all(platform)) expect_sums_of_pairs(platform, spec);
    }
}

TEST(AllPairs, OfRanksThatShareAGpuCrossNothingBetweenThem) {
  const Platform platform =
      build(with(tree("fat_tree", "2", "4,4", "1,4", "1,1"), single_gpu_nodes(16)));
  const auto routing = make_routing(platform, {});
  const std::vector<GpuId> gpus = {GpuId(0), GpuId(0), GpuId(9)};
  const AllPairs pairs = all_pairs(bytes(3000), 3);
  const FlowGroup actual = lower({{pairs, 1}}, {gpus}, platform, *routing);
  const FlowGroup expected = lower({{edges_of(pairs), 1}}, {gpus}, platform, *routing);
  expect_same(actual.demands, expected.demands, platform);
  EXPECT_DOUBLE_EQ(actual.length, expected.length);
}

TEST(AllPairs, BetweenRailsThatAreNotConnectedHaveNoPath) {
  Platform platform = build(with({{"topology", "rail_only"}, {"switch_latency", "100 ns"}},
                                 with(nvlink_nodes(3, 4), {{"pxn", "off"}})));
  const auto routing = make_routing(platform, {});
  const std::vector<GpuId> gpus = shuffled_gpus(platform);
  EXPECT_THROW(lower({{all_pairs(mebibytes(1), 12), 1}}, {gpus}, platform, *routing),
               InfeasibleError);
}

}  // namespace
}  // namespace trainyard
