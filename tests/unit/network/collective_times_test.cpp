// The closed forms of the algorithms on an idle fabric, lowered from their phases.
#include "network/network.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace trainyard {
namespace {

using namespace testing;

constexpr double kNic = 50e9, kNvLink = 450e9;  // bytes/s
constexpr double kAlpha = 2.1e-6;               // NIC, switch, NIC
constexpr double kInside = 1e-6;                // NVLink up and down
constexpr double kPercent = 1e-3;

Platform nodes_on_a_switch(int nodes, int per_node) {
  const PropertyList one_switch = {{"topology", "single_switch"}, {"switch_latency", "100 ns"}};
  return build(
      with(one_switch, per_node == 1 ? single_gpu_nodes(nodes) : nvlink_nodes(nodes, per_node)));
}

double time_of(CollectiveKind kind, const char* name, int nodes, int per_node, Bytes size) {
  const Platform platform = nodes_on_a_switch(nodes, per_node);
  const auto routing = make_routing(platform, {});
  CollectiveSpec spec;
  spec.collective = {kind, nodes * per_node, size, per_node};
  spec.algorithm = find_algorithm(kind, name);
  spec.members.emplace_back();
  for (int rank = 0; rank < nodes * per_node; ++rank) spec.members[0].emplace_back(rank);
  return in_seconds(alone_duration(lower(spec, platform, *routing), nominal_capacities(platform)));
}

void expect_time(double actual, double expected) { EXPECT_NEAR(actual / expected, 1, kPercent); }

constexpr Bytes kSize = mebibytes(256);
constexpr double kBytes = 256.0 * 1024 * 1024;

TEST(CollectiveTimes, OfHalvingDoublingAndRecursiveDoubling) {
  for (int bits = 1; bits <= 5; ++bits) {
    const double n = 1 << bits;
    expect_time(time_of(CollectiveKind::AllReduce, "halving_doubling", 1 << bits, 1, kSize),
                2 * bits * kAlpha + 2 * (n - 1) / n * kBytes / kNic);
    expect_time(time_of(CollectiveKind::AllReduce, "recursive_doubling", 1 << bits, 1, kSize),
                bits * (kAlpha + kBytes / kNic));
  }
}

TEST(CollectiveTimes, OfADoubleBinaryTreeAreTwiceTheBufferAtLogarithmicLatency) {
  for (int bits = 3; bits <= 6; ++bits)
    expect_time(time_of(CollectiveKind::AllReduce, "double_binary_tree", 1 << bits, 1, kSize),
                2 * bits * kAlpha + 2 * kBytes / kNic);
}

TEST(CollectiveTimes, OfBruckAreHalfTheBufferLogarithmicallyOften) {
  for (int bits = 1; bits <= 5; ++bits)
    expect_time(time_of(CollectiveKind::AllToAll, "bruck", 1 << bits, 1, kSize),
                bits * (kAlpha + kBytes / 2 / kNic));
}

TEST(CollectiveTimes, OfNvlsMoveTheBufferAndAShare) {
  for (const int n : {2, 4, 8})
    expect_time(time_of(CollectiveKind::AllReduce, "nvls", 1, n, kSize),
                2 * kInside + kBytes * (n + 1) / n / kNvLink);
  // 8 GPUs of 450 GB/s: algbw 400.
  EXPECT_NEAR(kBytes / (time_of(CollectiveKind::AllReduce, "nvls", 1, 8, gibibytes(16)) / 64),
              400e9, 0.1e9);
}

TEST(CollectiveTimes, OfSharpMoveTheBufferOnceWhateverTheNumberOfRanks) {
  for (const int n : {2, 8, 32})
    expect_time(time_of(CollectiveKind::AllReduce, "sharp", n, 1, kSize), kAlpha + kBytes / kNic);
  // Over nodes: a share a NIC and, at the same time, a node's reduce and gather; here the longer.
  expect_time(time_of(CollectiveKind::AllReduce, "sharp", 4, 8, kSize),
              2 * kInside + kAlpha + std::max(kBytes / 8 / kNic, 2 * kBytes * 7 / 8 / kNvLink));
}

// Inter-node share 2 S/g, or NVLink's S(1 + 1/g), whichever is longer.
TEST(CollectiveTimes, OfNvlsTreeAreThoseOfItsSlowerPart) {
  const double g = 8;
  expect_time(time_of(CollectiveKind::AllReduce, "nvls_tree", 8, 8, kSize),
              2 * kInside + 2 * 3 * kAlpha + 2 * kBytes / g / kNic);
}

TEST(CollectiveTimes, OfTwoLevelGathersPassTheRailsAndThenTheNodes) {
  const double g = 8;
  const double k = 4;
  for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter})
    expect_time(
        time_of(kind, "two_level", 4, 8, kSize),
        (k - 1) * (kAlpha + kBytes / (g * k) / kNic) + (g - 1) * (kInside + kBytes / g / kNvLink));
}

TEST(CollectiveTimes, OfAHierarchicalAllToAllAreBoundByTheNic) {
  const double g = 8;
  const double k = 4;
  expect_time(time_of(CollectiveKind::AllToAll, "hierarchical", 4, 8, kSize),
              kInside + (g - 1) / g * kBytes / kNvLink + kAlpha + (k - 1) / k * kBytes / kNic);
}

TEST(CollectiveTimes, OfReduceGatherScatterAndBarrier) {
  const double n = 8;
  expect_time(time_of(CollectiveKind::Reduce, "binomial", 8, 1, kSize),
              3 * (kAlpha + kBytes / kNic));
  const double c = kBytes / (1 << 19);
  expect_time(time_of(CollectiveKind::Reduce, "chain", 8, 1, kSize),
              (n - 1) * kAlpha + (n - 2 + c) * kBytes / c / kNic);
  for (const CollectiveKind kind : {CollectiveKind::Gather, CollectiveKind::Scatter})
    expect_time(time_of(kind, "direct", 8, 1, kSize), kAlpha + (n - 1) / n * kBytes / kNic);
  expect_time(time_of(CollectiveKind::Barrier, "dissemination", 8, 1, kSize), 3 * kAlpha);
}

}  // namespace
}  // namespace trainyard
