// The platform files that come with Trainyard: counts, capacities, and what a sweep may change.

#include "platforms/xml.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace trainyard {
namespace {

struct Shipped {
  const char* name;
  int nodes, gpus_per_node;
  std::vector<std::int64_t> switches;  // per level
  double oversubscription;             // of the leaves
};

const std::vector<Shipped>& shipped() {
  static const std::vector<Shipped> platforms = {
      {"tiny_2x4", 2, 4, {2, 4}, 1},
      {"dgx_h100_x32_rail", 32, 8, {8, 4}, 1},               // SuperPOD table: 1 SU
      {"dgx_h100_x128_rail", 128, 8, {32, 16}, 1},           // 4 SU
      {"dgx_h100_x2048_rail", 2048, 8, {512, 512, 256}, 1},  // 64 SU
      {"fat_tree_2to1_x64", 64, 8, {64 / 8, 4}, 2},
  };
  return platforms;
}

std::string path_of(const std::string& name) {
  return TRAINYARD_SOURCE_DIR "/platforms/" + name + ".xml";
}

TEST(ShippedPlatforms, AreAllListedHere) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TRAINYARD_SOURCE_DIR "/platforms"))
    if (entry.path().extension() == ".xml") ++files;
  EXPECT_EQ(files, shipped().size());
}

TEST(ShippedPlatforms, LoadWithTheStatedCounts) {
  for (const Shipped& each : shipped()) {
    const Platform platform = load_platform(path_of(each.name));
    EXPECT_EQ(platform.name, each.name);
    EXPECT_EQ(platform.node_count(), each.nodes);
    EXPECT_EQ(platform.gpu_count(), each.nodes * each.gpus_per_node);
    for (std::size_t level = 0; level < each.switches.size(); ++level)
      EXPECT_EQ(
          std::count_if(platform.switches.begin(), platform.switches.end(),
                        [&](const Switch& sw) { return sw.level == static_cast<int>(level) + 1; }),
          each.switches[level])
          << each.name << " level " << level + 1;
  }
}

TEST(ShippedPlatforms, HaveTheBisectionOfTheirNicsOverTheirOversubscription) {
  for (const Shipped& each : shipped()) {
    const Platform platform = load_platform(path_of(each.name));
    EXPECT_EQ(oversubscription(platform).front(), each.oversubscription) << each.name;
    const double nics = each.nodes * each.gpus_per_node;
    EXPECT_DOUBLE_EQ(in_gigabytes_per_second(bisection(platform)),
                     nics / 2 * 50 / each.oversubscription)
        << each.name;
  }
}

TEST(ShippedPlatforms, FitTheirSwitchesWithinThePortsOfQuantum2) {
  for (const char* name : {"dgx_h100_x32_rail", "dgx_h100_x128_rail", "dgx_h100_x2048_rail"}) {
    const Platform platform = load_platform(path_of(name));
    for (const Switch& sw : platform.switches) {
      const int endpoints = sw.level == 1 ? sw.last_position - sw.first_position : 0;
      EXPECT_EQ(sw.up.size() + sw.down.size() + static_cast<std::size_t>(endpoints), 64u)
          << name << " " << sw.name;
    }
  }
}

TEST(ShippedPlatforms, CanBeSweptOverOversubscription) {
  for (const Shipped& each : shipped())
    for (const int ratio : {1, 2, 4}) {
      const Platform platform = load_platform(
          path_of(each.name), {{"oversubscription", {std::to_string(ratio), {"e.yaml", 1, 1}}}});
      EXPECT_EQ(oversubscription(platform).front(), ratio) << each.name;
      for (std::size_t level = 1; level < each.switches.size() - 1; ++level)
        EXPECT_EQ(oversubscription(platform)[level], 1) << each.name;
    }
}

TEST(ShippedPlatforms, AreNoPlainSimGridPlatforms) {
  for (const Shipped& each : shipped()) EXPECT_FALSE(is_plain_simgrid(path_of(each.name)));
}

}  // namespace
}  // namespace trainyard
