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

// Nodes as they are sold, a few of them.
struct Machine {
  const char* name;
  int nodes, gpus_per_node, gpus_per_domain;
  const char* gpu;
  int nvlinks;
  double nvlink;          // GB/s of one link, one way
  double nics;            // GB/s out of a node
  RoutingPolicy routing;  // usual for its network
};

const std::vector<Machine>& machines() {
  static const std::vector<Machine> list = {
      {"dgx1_v100_x1", 1, 8, 8, "V100", 6, 25, 0, RoutingPolicy::Static},
      {"dgx_a100_x1", 1, 8, 8, "A100", 12, 25, 0, RoutingPolicy::Static},
      {"dgx_a100_x2", 2, 8, 8, "A100", 12, 25, 8 * 25, RoutingPolicy::Static},
      {"dgx_h100_x1", 1, 8, 8, "H100", 18, 25, 0, RoutingPolicy::Static},
      {"dgx_h100_x4", 4, 8, 8, "H100", 18, 25, 8 * 50, RoutingPolicy::Static},
      {"hgx_h100_4gpu_x16_slingshot", 16, 4, 4, "H100", 18, 25, 2 * 25, RoutingPolicy::Adaptive},
      {"gh200_x2_slingshot", 2, 4, 4, "GH200", 18, 25, 4 * 25, RoutingPolicy::Adaptive},
      {"aws_p3dn_x2", 2, 8, 8, "V100", 6, 25, 12.5, RoutingPolicy::Spray},
      {"aws_p4d_x2", 2, 8, 8, "A100", 12, 25, 4 * 12.5, RoutingPolicy::Spray},
      {"aws_p5_x2", 2, 8, 8, "H100", 18, 25, 32 * 12.5, RoutingPolicy::Spray},
      {"gb200_nvl72_x8", 8 * 18, 4, 72, "GB200", 18, 50, 4 * 50, RoutingPolicy::Static},
      {"gb200_nvl72_x2_roce", 32, 4, 64, "GB200", 18, 50, 4 * 50, RoutingPolicy::Ecmp},
  };
  return list;
}

std::string path_of(const std::string& name) {
  return TRAINYARD_SOURCE_DIR "/platforms/" + name + ".xml";
}

TEST(ShippedPlatforms, AreAllListedHere) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TRAINYARD_SOURCE_DIR "/platforms"))
    if (entry.path().extension() == ".xml") ++files;
  EXPECT_EQ(files, shipped().size() + machines().size());
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

// NVLink out of a GPU: to the switch, or to all its peers together.
double nvlink_out(const Platform& platform, GpuId gpu) {
  const Gpu& data = platform.gpus[gpu.index()];
  if (data.nvlink_up.valid())
    return in_gigabytes_per_second(platform.links[data.nvlink_up.index()].bandwidth);
  double sum = 0;
  for (int to = 0; to < platform.gpu_count(); ++to)
    sum += in_gigabytes_per_second(nvlink_bandwidth(platform, gpu, GpuId(to)));
  return sum;
}

TEST(ShippedMachines, HaveTheLinksOfTheirDataSheets) {
  for (const Machine& each : machines()) {
    const Platform platform = load_platform(path_of(each.name));
    EXPECT_EQ(platform.name, each.name);
    EXPECT_EQ(platform.node_count(), each.nodes) << each.name;
    EXPECT_EQ(platform.gpu_count(), each.nodes * each.gpus_per_node) << each.name;
    EXPECT_EQ(platform.hardware.gpu, each.gpu);
    EXPECT_EQ(platform.hardware.nvlinks_per_gpu, each.nvlinks) << each.name;
    EXPECT_EQ(platform.default_routing, each.routing) << each.name;
    for (int gpu = 0; gpu < platform.gpu_count(); ++gpu)
      EXPECT_DOUBLE_EQ(nvlink_out(platform, GpuId(gpu)), each.nvlinks * each.nvlink) << each.name;
    double nics = 0;
    for (const Nic& nic : platform.nics)
      nics += in_gigabytes_per_second(platform.links[nic.up.index()].bandwidth);
    EXPECT_DOUBLE_EQ(nics, each.nodes * each.nics) << each.name;
  }
}

TEST(ShippedMachines, JoinTheGpusOfADomainByNvlinkAndNoOthers) {
  for (const Machine& each : machines()) {
    const Platform platform = load_platform(path_of(each.name));
    const int joined = std::string(each.gpu) == "V100" ? 4 : each.gpus_per_domain - 1;
    for (int gpu = 0; gpu < platform.gpu_count(); gpu += 7) {
      int peers = 0;
      for (int to = 0; to < platform.gpu_count(); ++to) {
        const bool linked = nvlink_bandwidth(platform, GpuId(gpu), GpuId(to)) > Bandwidth();
        peers += linked ? 1 : 0;
        EXPECT_TRUE(!linked || gpu / each.gpus_per_domain == to / each.gpus_per_domain);
      }
      EXPECT_EQ(peers, joined) << each.name;
    }
  }
}

TEST(ShippedMachines, ReduceInTheSwitchOnlyWhereThereIsOne) {
  const auto nvls = [](const char* name) { return load_platform(path_of(name)).hardware.nvls; };
  for (const char* name : {"dgx_h100_x1", "aws_p5_x2", "gb200_nvl72_x8"}) EXPECT_TRUE(nvls(name));
  for (const char* name : {"dgx_a100_x1", "dgx1_v100_x1", "hgx_h100_4gpu_x16_slingshot"})
    EXPECT_FALSE(nvls(name)) << name;
}

TEST(ShippedMachines, FitTheSwitchesOfAnNvl72ClusterWithin64Ports) {
  const Platform platform = load_platform(path_of("gb200_nvl72_x8"));
  EXPECT_EQ(platform.switches.size(), 8u * 4 + 9);
  for (const Switch& sw : platform.switches) {
    const int endpoints = sw.level == 1 ? sw.last_position - sw.first_position : 0;
    EXPECT_LE(sw.up.size() + sw.down.size() + static_cast<std::size_t>(endpoints), 64u) << sw.name;
  }
  EXPECT_EQ(oversubscription(platform).front(), 1);
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(bisection(platform)), 576.0 / 2 * 50);
}

}  // namespace
}  // namespace trainyard
