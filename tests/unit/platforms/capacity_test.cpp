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

}  // namespace
}  // namespace trainyard
