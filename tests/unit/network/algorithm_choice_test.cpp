// Which algorithm a collective gets: the order of who may choose, and what the hardware allows.
#include "network/choice/algorithm_choice.hpp"

#include "network/choice/communicator.hpp"
#include "network/choice/tuner_input.hpp"
#include "platforms/xml.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <numeric>

namespace trainyard {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr auto kReduce = CollectiveKind::AllReduce;

Platform shipped(const std::string& name) {
  return load_platform(TRAINYARD_SOURCE_DIR "/platforms/" + name + ".xml", {});
}

// Two nodes of four GPUs on a switch, and what else the platform says of itself.
Platform two_nodes(const PropertyList& more) {
  return build(
      with(with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}}, nvlink_nodes(2, 4)),
           more));
}

std::vector<GpuId> first_gpus(int count) {
  std::vector<GpuId> gpus;
  for (int gpu = 0; gpu < count; ++gpu) gpus.emplace_back(gpu);
  return gpus;
}

ChosenAlgorithm choose(const Platform& platform, int ranks, const AlgorithmRules& rules = {},
                       const std::string& named = "", Bytes size = mebibytes(256)) {
  AlgorithmChooser chooser(platform, nullptr, rules);
  const std::vector<GpuId> gpus = first_gpus(ranks);
  return chooser.choose(chooser.on(gpus, kReduce, size), gpus, named);
}

AlgorithmRules naming(const std::string& algorithm) {
  AlgorithmRules rules;
  rules.named[kReduce] = algorithm;
  return rules;
}

TEST(AlgorithmChoice, OfTheOperationComesBeforeThatOfTheRun) {
  const Platform platform = two_nodes({{"gpu", "H100"}});
  EXPECT_STREQ(choose(platform, 8, naming("ring")).choice.algorithm->name, "ring");
  const ChosenAlgorithm own = choose(platform, 8, naming("ring"), "two_level");
  EXPECT_STREQ(own.choice.algorithm->name, "two_level");
  EXPECT_EQ(own.by, ChosenBy::User);
  EXPECT_EQ(own.note, "");
}

TEST(AlgorithmChoice, IsNcclsWhereThePlatformSaysItsGpu) {
  const Platform platform = two_nodes({{"gpu", "H100"}});
  AlgorithmChooser chooser(platform, nullptr, {});
  const std::vector<GpuId> gpus = first_gpus(8);
  const Collective collective = chooser.on(gpus, kReduce, mebibytes(256));
  const ChosenAlgorithm chosen = chooser.choose(collective, gpus, "");
  EXPECT_EQ(chosen.by, ChosenBy::Tuner);
  const std::optional<TunerInput> input = tuner_input(collective, gpus, platform);
  ASSERT_TRUE(input);
  EXPECT_EQ(chosen.choice.algorithm, choose_algorithm(collective, *input, "").algorithm);
}

TEST(AlgorithmChoice, IsTheDefaultWhereNobodyKnowsTheGpuOrTheUserWantsIt) {
  const Platform unknown = two_nodes({});
  EXPECT_EQ(choose(unknown, 8).by, ChosenBy::Default);
  EXPECT_STREQ(choose(unknown, 8).choice.algorithm->name, "two_level");
  AlgorithmRules untuned;
  untuned.tuned = false;
  EXPECT_EQ(choose(two_nodes({{"gpu", "H100"}}), 8, untuned).by, ChosenBy::Default);
  EXPECT_FALSE(tuner_input(Collective{}, first_gpus(1), two_nodes({{"gpu", "MI300X"}})));
}

TEST(AlgorithmChoice, IsTheMeasuredOneIfItFits) {
  const Platform platform = two_nodes({{"gpu", "A100"}});
  Calibration calibration;
  CollectiveLaw law;
  law.algorithm = "double_binary_tree";
  law.nodes_from = law.nodes_to = 2;
  law.from = law.to = mebibytes(1);
  calibration.laws = {law};
  AlgorithmChooser chooser(platform, &calibration, {});
  const std::vector<GpuId> gpus = first_gpus(8);
  const Collective collective = chooser.on(gpus, kReduce, mebibytes(1));
  EXPECT_EQ(chooser.choose(collective, gpus, "").by, ChosenBy::Measurement);
  EXPECT_STREQ(chooser.choose(collective, gpus, "").choice.algorithm->name, "double_binary_tree");
  calibration.laws[0].algorithm = "nvls_tree";  // no NVSwitch of an A100 adds up
  EXPECT_EQ(chooser.choose(collective, gpus, "").by, ChosenBy::Tuner);
}

TEST(AlgorithmChoice, OfNvlsNeedsNvSwitchesThatAddUp) {
  EXPECT_EQ(choose(two_nodes({{"gpu", "H100"}}), 4, {}, "nvls").by, ChosenBy::User);
  const ChosenAlgorithm refused = choose(two_nodes({{"gpu", "A100"}}), 4, {}, "nvls");
  EXPECT_NE(refused.by, ChosenBy::User);
  EXPECT_THAT(refused.note, HasSubstr("nvls cannot be played: no NVSwitch of "));
  EXPECT_THAT(refused.note,
              HasSubstr(std::string(": ") + refused.choice.algorithm->name + " is used instead"));
  // Of one node only.
  EXPECT_THAT(choose(two_nodes({{"gpu", "H100"}}), 8, {}, "nvls").note,
              HasSubstr("nvls does not apply to 8 ranks, 4 a node in order"));
}

TEST(AlgorithmChoice, OfSharpNeedsAFabricThatHasTrees) {
  const PropertyList infiniband = {{"gpu", "A100"}, {"network", "infiniband"}};
  const Platform with_trees = two_nodes(with(infiniband, {{"sharp_trees", "2"}}));
  EXPECT_EQ(choose(with_trees, 8, {}, "sharp").by, ChosenBy::User);
  AlgorithmRules none_left;
  none_left.no_trees = "leaf0 has no aggregation tree left";
  EXPECT_THAT(choose(with_trees, 8, none_left, "sharp").note,
              HasSubstr("sharp cannot be played: leaf0 has no aggregation tree left"));
  EXPECT_STRNE(choose(with_trees, 8, none_left).choice.algorithm->name, "sharp");
  for (const char* network : {"infiniband", "roce", "efa"})
    EXPECT_THAT(choose(two_nodes({{"gpu", "A100"}, {"network", network}}), 8, {}, "sharp").note,
                HasSubstr("no switch of "));
}

TEST(AlgorithmChoice, LeavesTheSwitchesAloneWhereTheModelHasNone) {
  const Platform platform = two_nodes({{"gpu", "H100"}});
  AlgorithmRules rules;
  rules.no_offload = "no switches here";
  for (const int ranks : {4, 8})
    EXPECT_EQ(choose(platform, ranks, rules).choice.algorithm->offload, Offload::None);
  EXPECT_THAT(choose(platform, 4, rules, "nvls").note, HasSubstr("no switches here"));
}

TEST(Communicator, CountsNvlinkDomainsAsNodes) {
  const Platform racks = shipped("gb200_nvl72_x8");  // trays of 4, domains of 72
  EXPECT_EQ(ranks_per_node(first_gpus(72), racks), 72);
  EXPECT_EQ(ranks_per_node(first_gpus(144), racks), 72);
  EXPECT_EQ(ranks_per_node(first_gpus(100), racks), 1);  // 72 and 28
  EXPECT_EQ(choose(racks, 72).choice.algorithm->offload, Offload::NvSwitch);
  EXPECT_STREQ(choose(racks, 144, {}, "nvls_tree").choice.algorithm->name, "nvls_tree");
  const Platform boxes = shipped("dgx_h100_x4");
  EXPECT_EQ(ranks_per_node(first_gpus(16), boxes), 8);
}

// A DGX-1's mesh has room for rings of 6 x 25 GB/s: as much as a GPU's six cables.
TEST(Communicator, OnAMeshHasTheRingsThatItsLinksAllow) {
  const Platform dgx1 = shipped("dgx1_v100_x1");
  const auto rings = nccl_rings(first_gpus(8), dgx1);
  ASSERT_TRUE(rings);
  EXPECT_EQ(rings->size(), 6U);
  for (const Ring& ring : *rings)
    for (std::size_t i = 0; i < ring.order.size(); ++i) {
      const GpuId from(ring.order[i].value());
      const GpuId to(ring.order[(i + 1) % ring.order.size()].value());
      EXPECT_GT(nvlink_bandwidth(dgx1, from, to), Bandwidth());
    }
}

TEST(Communicator, OverNodesOfSeveralRanksHasAChannelForEachOfThem) {
  const auto rings = nccl_rings(first_gpus(8), two_nodes({}));
  ASSERT_TRUE(rings);
  EXPECT_EQ(rings->size(), 4U);
  EXPECT_FALSE(nccl_rings(first_gpus(4), two_nodes({})));
}

TEST(TunerInput, SeesTheNicsThatTheRanksLeaveBy) {
  const Platform platform = shipped("dgx_h100_x32_rail");  // 8 NICs of 50 GB/s
  const auto plan_of = [&](const std::vector<GpuId>& gpus) {
    Collective collective;
    collective.ranks = static_cast<int>(gpus.size());
    const auto input = tuner_input(collective, gpus, platform);
    return in_gigabytes_per_second(input->plan.channels * input->plan.inter);
  };
  EXPECT_LE(plan_of(first_gpus(16)), 400);
  EXPECT_GT(plan_of(first_gpus(16)), 50);
  EXPECT_LE(plan_of({GpuId(0), GpuId(8)}), 50);  // a rank a node: its own NIC
  EXPECT_GT(plan_of({GpuId(0), GpuId(8)}), 0);
}

}  // namespace
}  // namespace trainyard
