// Bisection and oversubscription against closed forms, and the parents derived from them.

#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

constexpr double kNic = 50e9;

Platform two_levels(const std::string& oversubscription, const std::string& cables = "1,1") {
  return build(with({{"topology", "fat_tree"},
                     {"levels", "2"},
                     {"down", "8,4"},
                     {"cables", cables},
                     {"oversubscription", oversubscription},
                     {"switch_bandwidth", "50 GB/s"},
                     {"switch_latency", "100 ns"}},
                    single_gpu_nodes(32)));
}

TEST(Bisection, OfASingleSwitchIsHalfTheNics) {
  const Platform platform = build(
      with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}}, single_gpu_nodes(10)));
  EXPECT_DOUBLE_EQ(in_bytes_per_second(bisection(platform)), 10.0 / 2 * kNic);
}

TEST(Bisection, OfANonBlockingTreeIsHalfTheNicsAndFallsWithOversubscription) {
  for (const int ratio : {1, 2, 4, 8}) {
    const Platform platform = two_levels(std::to_string(ratio));
    EXPECT_DOUBLE_EQ(in_bytes_per_second(bisection(platform)), 32.0 / 2 * kNic / ratio);
  }
}

TEST(Bisection, NeverExceedsTheNics) {
  EXPECT_DOUBLE_EQ(in_bytes_per_second(bisection(two_levels("0.5"))), 32.0 / 2 * kNic);
}

TEST(Bisection, IgnoresUplinksThatNothingNeedsToCross) {
  const Platform one_leaf =
      build(with(tree("fat_tree", "2", "8,4", "1,1", "1,1"), single_gpu_nodes(6)));
  EXPECT_DOUBLE_EQ(in_bytes_per_second(bisection(one_leaf)), 6.0 / 2 * kNic);
}

TEST(Bisection, IsZeroWithoutAFabric) {
  EXPECT_EQ(bisection(build(examples().back())), Bandwidth());
  EXPECT_TRUE(oversubscription(build(examples().back())).empty());
}

TEST(Oversubscription, IsPortsDownOverPortsUpPerLevelLeavesFirst) {
  const Platform platform =
      build(with(tree("fat_tree", "3", "6,4,2", "1,3,2", "1,1,1"), single_gpu_nodes(48)));
  EXPECT_EQ(oversubscription(platform), (std::vector<double>{6.0 / 3, 4.0 / 2}));
}

TEST(Oversubscription, CountsBandwidthNotPorts) {
  auto fast = with({{"topology", "fat_tree"}, {"levels", "2"}, {"down", "8,2"}, {"up", "1,2"}},
                   single_gpu_nodes(16));
  fast = with(fast, {{"switch_bandwidth", "100 GB/s"}, {"switch_latency", "100 ns"}});
  EXPECT_EQ(oversubscription(build(fast)), std::vector<double>{8 * kNic / (2 * 100e9)});
}

TEST(Oversubscription, AskedForIsOversubscriptionBuilt) {
  for (const double ratio : {1.0, 2.0, 4.0})
    for (const char* cables : {"1,1", "1,2"}) {
      const Platform platform = two_levels(ratio == 1 ? "1" : ratio == 2 ? "2" : "4", cables);
      EXPECT_EQ(oversubscription(platform), std::vector<double>{ratio});
      EXPECT_EQ(platform.switches[0].up.size(), static_cast<std::size_t>(8 / ratio));
    }
}

TEST(Oversubscription, LeftOutForUpperLevelsIsOne) {
  const auto three = with({{"topology", "fat_tree"},
                           {"levels", "3"},
                           {"down", "8,4,2"},
                           {"oversubscription", "2"},
                           {"switch_bandwidth", "50 GB/s"},
                           {"switch_latency", "100 ns"}},
                          single_gpu_nodes(64));
  EXPECT_EQ(oversubscription(build(three)), (std::vector<double>{2, 1}));
}

// Cables of the longest way up and down between any two leaves, found by searching.
int searched_diameter(Platform platform) {
  platform.fabric = FabricShape::Graph;
  return diameter(platform);
}

TEST(Diameter, IsTwiceTheLevelsThatAreNeededInATree) {
  EXPECT_EQ(diameter(two_levels("1")), 2 * 2);
  EXPECT_EQ(
      diameter(build(with(tree("fat_tree", "3", "2,2,2", "1,2,2", "1,1,1"), single_gpu_nodes(8)))),
      2 * 3);
  EXPECT_EQ(
      diameter(build(with(tree("fat_tree", "3", "2,2,2", "1,2,2", "1,1,1"), single_gpu_nodes(3)))),
      2 * 2);
  EXPECT_EQ(diameter(build(with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}},
                                single_gpu_nodes(10)))),
            2);
  EXPECT_EQ(diameter(build(with({{"topology", "rail_only"}, {"switch_latency", "100 ns"}},
                                nvlink_nodes(3, 4)))),
            2);
  EXPECT_EQ(diameter(build(examples().back())), 0);
}

TEST(Diameter, IsWhatSearchingFinds) {
  for (const PropertyList& example : tree_examples()) {
    const Platform platform = build(example);
    if (platform.nics.empty()) continue;
    EXPECT_EQ(diameter(platform), searched_diameter(platform));
  }
}

TEST(Diameter, OfTwoPortsIsThatOfTheBetter) {
  EXPECT_EQ(
      diameter(build(with(tree("dual_plane", "2", "4,4", "1,2", "1,2"), single_gpu_nodes(16)))), 4);
  EXPECT_EQ(diameter(build(with(tree("dual_tor", "2", "4,4", "1,2", "1,2"), single_gpu_nodes(4)))),
            2);
}

// Trees with an even number of equal subtrees, where both definitions mean the same.
TEST(Bisection, OfATreeIsWhatCanFlowBetweenTheHalvesOfItsNodes) {
  std::vector<Platform> trees = {two_levels("1"), two_levels("4"), two_levels("2", "1,2")};
  trees.push_back(
      build(with(tree("fat_tree", "3", "2,2,4", "1,2,1", "1,1,3"), single_gpu_nodes(16))));
  trees.push_back(build(with(tree("rail_optimized", "2", "2,8", "1,3", "1,1"),
                             with(nvlink_nodes(4, 4), {{"nodes_per_unit", "2"}}))));
  for (Platform& platform : trees) {
    const Bandwidth formula = bisection(platform);
    platform.fabric = FabricShape::Graph;
    EXPECT_EQ(bisection(platform), formula);
  }
}

// A port has half of its card's bandwidth, and there are two.
TEST(Bisection, OfTwoPlanesOrLeafPairsIsHalfTheCardsOverTheOversubscription) {
  for (const char* topology : {"dual_plane", "dual_tor"})
    for (const int ratio : {1, 2, 4}) {
      const Platform platform = build(with({{"topology", topology},
                                            {"levels", "2"},
                                            {"down", "8,4"},
                                            {"oversubscription", std::to_string(ratio)},
                                            {"switch_bandwidth", "25 GB/s"},
                                            {"switch_latency", "100 ns"}},
                                           single_gpu_nodes(32)));
      EXPECT_DOUBLE_EQ(in_bytes_per_second(bisection(platform)), 32.0 / 2 * kNic / ratio);
      EXPECT_EQ(oversubscription(platform), std::vector<double>{1.0 * ratio});
    }
}

TEST(Bisection, OfSeparateRailsIsHalfTheNics) {
  const Platform platform =
      build(with({{"topology", "rail_only"}, {"switch_latency", "100 ns"}}, nvlink_nodes(4, 4)));
  EXPECT_DOUBLE_EQ(in_bytes_per_second(bisection(platform)), 16.0 / 2 * kNic);
}

// n switches in a ring, a node on each: two cables lead out of either half.
TEST(Capacity, OfARingOfSwitches) {
  for (const int n : {4, 8, 10}) {
    const std::string last = std::to_string(n - 1);
    const Platform ring =
        build({{"topology", "graph"},
               {"kinds", "one"},
               {"kind.one.gpus", "1"},
               {"kind.one.nics", "ib0 0: 50 GB/s, 1 us"},
               {"nodes", "n[0-" + last + "]: one"},
               {"switches", "sw[0-" + last + "]: 100 ns"},
               {"cables", "n[0-" + last + "]/ib0 sw[0-" + last + "]: 50 GB/s, 0 s; sw[0-" + last +
                              "] sw[1-" + last + "],sw0: 10 GB/s, 0 s"}});
    EXPECT_DOUBLE_EQ(in_bytes_per_second(bisection(ring)), 2 * 10e9);
    EXPECT_EQ(diameter(ring), n / 2 + 2);
    EXPECT_TRUE(oversubscription(ring).empty());
  }
}

}  // namespace
}  // namespace trainyard
