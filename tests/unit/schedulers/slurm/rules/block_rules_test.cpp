// topology/block, segments and exclusive blocks. No golden decision covers them.

#include "base/error.hpp"
#include "rule_world.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace trainyard::slurm {
namespace {

constexpr SlurmVersion kNewest{26, 11};

// Four blocks of `size` nodes: n01.., in order.
Instant blocks(int count, int size, const std::string& sizes, SlurmVersion version = kNewest) {
  std::string conf =
      "TopologyPlugin=topology/block\nNodeName=n[01-" + std::to_string(count * size) + "] CPUs=4\n";
  conf += "PartitionName=p Nodes=ALL Default=YES MaxTime=600\n";
  std::string topology = "BlockSizes=" + sizes + "\n";
  for (int b = 0; b < count; ++b) {
    const auto name = [&](int n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); };
    topology += "BlockName=b" + std::to_string(b) + " Nodes=n[" + name(b * size + 1) + "-" +
                name((b + 1) * size) + "]\n";
  }
  return Instant(rule_site(conf, version, topology));
}

// Base 4, sizes 4 and 16; blocks with 4, 3, 4 and 2 nodes free; a job of two nodes.
TEST(SlurmBlocks, AJobTakesTheBlockWithTheFewestSufficientNodes) {
  Instant cluster = blocks(4, 4, "4,16");
  cluster.occupy("n05,n13,n14");
  EXPECT_EQ(cluster.try_now("--nodes=2 --exclusive"), "n15,n16");
}

TEST(SlurmBlocks, OfEquallyFreeBlocksTheLastIsTaken) {
  EXPECT_EQ(blocks(4, 4, "4,16").try_now("--nodes=3"), "n13,n14,n15");
}

// Six nodes are two base blocks, level 1, which BlockSizes does not list: the next is 16 nodes, and
// of its base blocks two at most: a whole one and two nodes of another.
TEST(SlurmBlocks, ALargerJobTakesAHigherBlockAndFewBaseBlocksOfIt) {
  EXPECT_EQ(blocks(4, 4, "4,16").try_now("--nodes=6"), "n09,n10,n13,n14,n15,n16");
  Instant cluster = blocks(4, 4, "4,16");
  cluster.occupy("n[01-02],n[05-06],n[09-10],n[13-14]");
  EXPECT_EQ(cluster.try_now("--nodes=6 --exclusive"), "(Resources)");
}

// Two blocks of level 1 with five and six nodes free: six nodes fit only into the second.
TEST(SlurmBlocks, AJobStaysInOneBlockOfItsLevel) {
  Instant cluster = blocks(4, 4, "4,8");
  cluster.occupy("n[01-03],n09,n13");
  EXPECT_EQ(cluster.try_now("--nodes=6 --exclusive"), "n10,n11,n12,n14,n15,n16");
  EXPECT_EQ(cluster.try_now("--nodes=6 --exclusive"), "(Resources)");
}

// Lower weights count for more than a tight fit.
TEST(SlurmBlocks, LighterNodesComeFirst) {
  const SlurmSite site = rule_site(
      "TopologyPlugin=topology/block\nNodeName=n[1-4] CPUs=4 Weight=1\nNodeName=n[5-7] CPUs=4 "
      "Weight=5\nPartitionName=p Nodes=ALL MaxTime=60\n",
      kNewest, "BlockSizes=3\nBlockName=a Nodes=n[1-4]\nBlockName=b Nodes=n[5-7]\n");
  EXPECT_EQ(Instant(site).try_now("--nodes=3"), "n1,n2,n3");
}

// Base 5, three blocks of five; twelve nodes in segments of four: 4+4+4 and not 5+5+2.
TEST(SlurmBlocks, SegmentsArePlacedOneAfterTheOther) {
  EXPECT_EQ(blocks(3, 5, "5").try_now("--nodes=12 --segment=4"),
            "n01,n02,n03,n04,n06,n07,n08,n09,n11,n12,n13,n14");
}

TEST(SlurmBlocks, ASegmentMustDivideTheJobAndALargerOneIsIgnored) {
  EXPECT_EQ(blocks(3, 5, "5").try_now("--nodes=4 --segment=3"), "(BadConstraints)");
  EXPECT_EQ(blocks(3, 5, "5").submit_refusal("--nodes=4 --segment=3"), "BadConstraints");
  EXPECT_EQ(blocks(3, 5, "5").try_now("--nodes=4 --segment=8"), "n11,n12,n13,n14");
}

// Two segments of two: both fit into the last block; spread, each has a block of its own.
TEST(SlurmBlocks, SpreadSegmentsShareNoBaseBlock) {
  EXPECT_EQ(blocks(3, 5, "5").try_now("--nodes=4 --segment=2"), "n11,n12,n13,n14");
  EXPECT_EQ(blocks(3, 5, "5").try_now("--nodes=4 --segment=2 --spread-segments"),
            "n06,n07,n11,n12");
}

// Blocks with 4, 0, 3, 4 nodes free, in pairs; two segments of four. Only together they have room,
// and no pair holds both; one pair that does is taken though its blocks are not the tightest.
TEST(SlurmBlocks, ConsolidatedSegmentsStayInOneHigherBlock) {
  Instant apart = blocks(4, 4, "4,8");
  apart.occupy("n[05-08],n09");
  EXPECT_EQ(apart.try_now("--nodes=8 --segment=4 --consolidate-segments --exclusive"),
            "(Resources)");
  EXPECT_EQ(apart.try_now("--nodes=8 --segment=4 --exclusive"), "n01,n02,n03,n04,n13,n14,n15,n16");
  Instant together = blocks(4, 4, "4,8");
  together.occupy("n09");
  EXPECT_EQ(together.try_now("--nodes=8 --segment=4 --consolidate-segments --exclusive"),
            "n01,n02,n03,n04,n05,n06,n07,n08");
}

TEST(SlurmBlocks, ANodeListMustHoldTheWholeSegmentedJob) {
  EXPECT_EQ(blocks(3, 5, "5").try_now("--nodes=4 --segment=2 --nodelist=n[01-02,06-07]"),
            "n01,n02,n06,n07");
  EXPECT_EQ(blocks(3, 5, "5").try_now("--nodes=4 --segment=2 --nodelist=n[01-02]"),
            "(BadConstraints)");
}

TEST(SlurmBlocks, NodesOutsideEveryBlockAreNotUsed) {
  const SlurmSite site = rule_site(
      "TopologyPlugin=topology/block\nNodeName=n[1-6] CPUs=4\nPartitionName=p Nodes=ALL "
      "MaxTime=60\n",
      kNewest, "BlockSizes=4\nBlockName=a Nodes=n[1-4]\n");
  EXPECT_EQ(Instant(site).submit_refusal("--nodes=5"), "BadConstraints");
}

// A job that has its blocks to itself keeps others out of them, and waits for an empty one.
TEST(SlurmBlocks, AnExclusiveTopologyIsSharedWithNobody) {
  Instant cluster = blocks(3, 4, "4");
  EXPECT_EQ(cluster.try_now("--nodes=2 --exclusive=topo"), "n09,n10");
  EXPECT_EQ(cluster.try_now("--nodes=2"), "n05,n06");
  EXPECT_EQ(cluster.try_now("--nodes=1 --exclusive=topo"), "n01");
  EXPECT_EQ(cluster.try_now("--nodes=1 --exclusive=topo"), "(Resources)");
  EXPECT_EQ(cluster.try_now("--nodes=5"), "(Resources)");
}

TEST(SlurmBlocks, WhatAReleaseDoesNotKnowIsRefused) {
  EXPECT_THROW(blocks(3, 4, "4", kSlurm2205), InputError);
  EXPECT_THROW(blocks(3, 4, "4", {23, 11}).try_now("--nodes=2 --segment=1"), std::invalid_argument);
  EXPECT_NO_THROW(blocks(3, 4, "4", {24, 5}).try_now("--nodes=2 --segment=1"));
  EXPECT_THROW(blocks(3, 4, "4", {25, 5}).try_now("--nodes=2 --segment=1 --spread-segments"),
               std::invalid_argument);
}

TEST(SlurmBlocks, SizesAreTheBaseTimesPowersOfTwo) {
  EXPECT_THROW(blocks(3, 4, "4,12"), InputError);
  EXPECT_THROW(rule_site("TopologyPlugin=topology/block\nNodeName=n[1-4]\n", kNewest,
                         "SwitchName=s Nodes=n[1-4]\n"),
               InputError);
}

}  // namespace
}  // namespace trainyard::slurm
