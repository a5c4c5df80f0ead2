// NCCL's cost model against its own published figures.
#include "collectives/tuner/tuner.hpp"

#include <gtest/gtest.h>

#include <array>
#include <gmock/gmock.h>

namespace trainyard {
namespace {

using ::testing::HasSubstr;

TunerInput all_reduce(int ranks, int nodes, Bytes size = mebibytes(1)) {
  TunerInput input;
  input.size = size;
  input.ranks = ranks;
  input.nodes = nodes;
  input.cpu = CpuVendor::Amd;
  input.plan = {8, gigabytes_per_second(40), gigabytes_per_second(40)};
  return input;
}

// AR latency in us, 8 GPUs a node, AMD host, no network latency: LL, LL128, Simple.
struct Row {
  int ranks, nodes;
  std::array<double, 3> ring, tree;
};
const Row kCheckTable[] = {
    {8, 1, {15.0, 40.6, 56.0}, {15.2, 31.5, 64.4}},
    {16, 2, {68, 78, 204.4}, {25.2, 48.5, 92.4}},
    {32, 4, {134.8, 150, 428.4}, {35.2, 65.5, 120.4}},
    {64, 8, {268.4, 294, 876.4}, {45.2, 82.5, 148.4}},
    {128, 16, {535.6, 582, 1772.4}, {55.2, 99.5, 176.4}},
    {256, 32, {1070, 1158, 3564.4}, {65.2, 116.5, 204.4}},
    {1024, 128, {4276.4, 4614, 14316.4}, {85.2, 150.5, 260.4}},
};

TEST(NcclLatency, OfAllReduceIsThatOfTheCheckTable) {
  for (const Row& row : kCheckTable)
    for (const NcclProtocol protocol :
         {NcclProtocol::LL, NcclProtocol::LL128, NcclProtocol::Simple}) {
      const TunerInput input = all_reduce(row.ranks, row.nodes);
      const auto p = static_cast<std::size_t>(protocol);
      const auto latency = [&](NcclAlgorithm algorithm) {
        return in_microseconds(nccl_latency(input, algorithm, protocol));
      };
      EXPECT_NEAR(latency(NcclAlgorithm::Ring), row.ring[p], 1e-6) << row.ranks;
      EXPECT_NEAR(latency(NcclAlgorithm::Tree), row.tree[p], 1e-6) << row.ranks;
    }
}

TEST(NcclLatency, OfInSwitchAlgorithmsReplacesTheBaseOrGrowsWithTheNodesLogarithm) {
  const auto simple = [](const TunerInput& input, NcclAlgorithm algorithm) {
    return in_microseconds(nccl_latency(input, algorithm, NcclProtocol::Simple));
  };
  EXPECT_NEAR(simple(all_reduce(8, 1), NcclAlgorithm::Nvls), 25, 1e-9);
  EXPECT_NEAR(simple(all_reduce(32, 4), NcclAlgorithm::Nvls), 25 + 18, 1e-9);
  EXPECT_NEAR(simple(all_reduce(32, 4), NcclAlgorithm::NvlsTree), 25 + 2 * 2 * 20.9, 1e-9);
  EXPECT_NEAR(simple(all_reduce(32, 4), NcclAlgorithm::CollNetDirect), 2 * (3.7 + 0.4 * 7) + 31,
              1e-9);
  EXPECT_NEAR(simple(all_reduce(32, 4), NcclAlgorithm::CollNetChain), 2 * 7 * 2.8 + 30, 1e-9);
  TunerInput gather = all_reduce(16, 16);
  gather.kind = CollectiveKind::AllGather;
  EXPECT_NEAR(simple(gather, NcclAlgorithm::Pat), 8 + 4 * 14 / 3.5 + 2.8 * 16, 1e-9);
}

// The network's own latency counts twice for Simple.
TEST(NcclLatency, CountsTheNetworksOwnOncePerHopAndTwiceForSimple) {
  TunerInput input = all_reduce(16, 2);
  const auto ring = [&](NcclProtocol protocol) {
    return in_microseconds(nccl_latency(input, NcclAlgorithm::Ring, protocol));
  };
  const double ll = ring(NcclProtocol::LL);
  const double simple = ring(NcclProtocol::Simple);
  input.net_latency = microseconds(3);
  EXPECT_NEAR(ring(NcclProtocol::LL), ll + 2 * 3, 1e-9);
  EXPECT_NEAR(ring(NcclProtocol::Simple), simple + 2 * 2 * 3, 1e-9);
}

TEST(NcclNvLink, TimesItsNumberIsThePlateauOfARing) {
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(12 * nccl_nvlink(80)), 240.0);
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(18 * nccl_nvlink(90)), 370.8);
  EXPECT_NEAR(in_gigabytes_per_second(18 * nccl_nvlink(100)), 721.8, 1e-9);
}

// What is measured at the plateau is a little below: 234.9, 367.6, 682.2 GB/s.
TEST(NcclBandwidth, OfASimpleRingIsItsChannelsBandwidthOnTheBus) {
  TunerInput input = all_reduce(8, 1);
  input.sm = 80;
  input.plan = {12, gigabytes_per_second(20), Bandwidth()};
  const Bandwidth ring = nccl_bandwidth(input, NcclAlgorithm::Ring, NcclProtocol::Simple);
  EXPECT_NEAR(in_gigabytes_per_second(ring) * 2 * 7 / 8, 240, 1e-9);
  EXPECT_NEAR(234.9 / 240, 0.979, 1e-3);
}

TEST(NcclBandwidth, IsLimitedByProtocolAndChannel) {
  TunerInput input = all_reduce(16, 2);
  input.plan = {16, gigabytes_per_second(20), gigabytes_per_second(20)};
  const double n = 16;
  const double bus = 320;
  const auto of = [&](NcclAlgorithm algorithm, NcclProtocol protocol) {
    return in_gigabytes_per_second(nccl_bandwidth(input, algorithm, protocol));
  };
  const double ring = n / (2 * (n - 1));
  EXPECT_NEAR(of(NcclAlgorithm::Ring, NcclProtocol::LL), 22.5 * ring, 1e-9);  // AMD: Ampere's row
  EXPECT_NEAR(of(NcclAlgorithm::Ring, NcclProtocol::LL128), .92 * bus * ring, 1e-9);
  EXPECT_NEAR(of(NcclAlgorithm::Tree, NcclProtocol::Simple), .92 * bus / 2, 1e-9);
  EXPECT_NEAR(of(NcclAlgorithm::Tree, NcclProtocol::LL128), .92 * bus * 120 / 128 / 2, 1e-9);
  EXPECT_NEAR(of(NcclAlgorithm::CollNetDirect, NcclProtocol::Simple), bus / 2, 1e-9);
  input.plain_tree = true;
  EXPECT_NEAR(of(NcclAlgorithm::Tree, NcclProtocol::Simple), .85 * .92 * bus / 2, 1e-9);
}

TEST(NcclBandwidth, OfNvlsIsTwiceTheLinksTimesItsEfficiencyWithoutOneChannel) {
  TunerInput input = all_reduce(8, 1);
  input.plan = {16, gigabytes_per_second(20), Bandwidth()};
  const double algorithm = 16 * (20 * .85 * 15 / 16 * 2) * 8 / 14;
  EXPECT_NEAR(
      in_gigabytes_per_second(nccl_bandwidth(input, NcclAlgorithm::Nvls, NcclProtocol::Simple)),
      algorithm, 1e-9);
}

bool offers(const TunerInput& input, NcclAlgorithm algorithm) {
  for (const Candidate& candidate : nccl_candidates(input))
    if (candidate.algorithm == algorithm) return true;
  return false;
}

TEST(NcclCandidates, AreOnlyThoseThatKindAndHardwareAllow) {
  TunerInput input = all_reduce(16, 2);
  EXPECT_FALSE(offers(input, NcclAlgorithm::NvlsTree));
  input.nvls = true;
  EXPECT_TRUE(offers(input, NcclAlgorithm::NvlsTree));
  EXPECT_FALSE(offers(input, NcclAlgorithm::Nvls));  // over nodes with CollNet only
  EXPECT_FALSE(offers(input, NcclAlgorithm::CollNetChain));
  input.collnet = true;
  EXPECT_TRUE(offers(input, NcclAlgorithm::Nvls));
  EXPECT_TRUE(offers(input, NcclAlgorithm::CollNetChain));
  EXPECT_FALSE(offers(input, NcclAlgorithm::CollNetDirect));
  input.nvswitch = true;
  EXPECT_TRUE(offers(input, NcclAlgorithm::CollNetDirect));
  input.kind = CollectiveKind::Broadcast;
  EXPECT_FALSE(offers(input, NcclAlgorithm::Tree));
  input.kind = CollectiveKind::AllToAll;
  EXPECT_TRUE(nccl_candidates(input).empty());
}

TEST(NcclCandidates, ComeFastestFirstAndTheRingsPlateauAddsLatency) {
  const TunerInput input = all_reduce(16, 2, gibibytes(1));
  const std::vector<Candidate> all = nccl_candidates(input);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].time, all[i].time);
  for (const Candidate& candidate : all)
    if (candidate.algorithm == NcclAlgorithm::Ring && candidate.protocol == NcclProtocol::Simple) {
      EXPECT_NEAR(in_microseconds(candidate.latency), 1.4 * 204.4, 1e-6);
    }
}

TEST(SearchChannels, TakesTheLargestSpeedThatReachesTheMost) {
  const ChannelPlan ampere =
      search_channels(80, gigabytes_per_second(240), gigabytes_per_second(200));
  EXPECT_EQ(ampere.channels, 6);
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(ampere.intra), 40);
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(ampere.inter), 30);  // 6 x 30 <= 200 < 6 x 48
  const ChannelPlan hopper =
      search_channels(90, gigabytes_per_second(370.8), gigabytes_per_second(400));
  EXPECT_EQ(hopper.channels, 6);
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(hopper.intra), 60);
}

TEST(ChooseAlgorithm, TakesNcclsFastestUnlessOneIsNamed) {
  const Collective collective{CollectiveKind::AllReduce, 16, gibibytes(1), 8};
  const TunerInput input = all_reduce(16, 2, gibibytes(1));
  const AlgorithmChoice choice = choose_algorithm(collective, input, "");
  ASSERT_TRUE(choice.nccl.has_value());
  EXPECT_EQ(choice.algorithm, algorithm_for(choice.nccl->algorithm, collective));
  EXPECT_STREQ(choose_algorithm(collective, input, "two_level").algorithm->name, "two_level");
  EXPECT_THAT(choose_algorithm(collective, input, "nvls").why, HasSubstr("nvls does not apply"));
  const Collective all_to_all{CollectiveKind::AllToAll, 16, mebibytes(1), 8};
  TunerInput untuned = input;
  untuned.kind = CollectiveKind::AllToAll;
  EXPECT_STREQ(choose_algorithm(all_to_all, untuned, "").algorithm->name, "direct");
}

TEST(Explain, SaysWhatTheBestWouldHaveBeen) {
  const Collective collective{CollectiveKind::AllReduce, 16, mebibytes(1), 8};
  const AlgorithmChoice choice =
      choose_algorithm(collective, all_reduce(16, 2, mebibytes(1)), "ring");
  EXPECT_EQ(
      explain(collective, choice, {{"ring", microseconds(110)}, {"two_level", microseconds(100)}}),
      "all_reduce of 1048576 B over 16 ranks: ring (ring was named); on this network it takes "
      "110.0 us, 10.0 % longer than the best, two_level with 100.0 us");
}

}  // namespace
}  // namespace trainyard
