// Where jobs go: what holds for every placement, and what each is for.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <set>

namespace trainyard {
namespace {

using testing::ElementsAre;

std::set<int> leaves_of(const std::vector<int>& gpus, const Platform& platform) {
  std::set<int> leaves;
  for (const int gpu : gpus) leaves.insert(platform.node_of(GpuId(gpu)).leaf.value());
  return leaves;
}

std::set<int> nodes_of(const std::vector<int>& gpus, const Platform& platform) {
  std::set<int> nodes;
  for (const int gpu : gpus) nodes.insert(platform.gpus[GpuId(gpu).index()].node.value());
  return nodes;
}

std::map<int, int> blocks_by_leaf(int per_block, World& world) {
  std::map<int, int> blocks;
  for (std::size_t node = 0; node < world.platform().nodes.size(); ++node)
    if (const int here = world.cluster().free_per_node()[node] / per_block; here > 0)
      blocks[world.platform().nodes[node].leaf.value()] += here;
  return blocks;
}

// Calls `check(job, world)` for the waiting jobs of many random worlds.
template <typename Check>
void for_random_requests(Check check) {
  RandomStream random(21);
  for (int round = 0; round < 1500; ++round) {
    const auto world = random_world(random);
    for (const Job* job : world->view().pending) {
      check(*job, *world);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(EveryPlacement, FitsExactlyIfThereAreBlocksEnoughAndGivesFreeOnesInWholeBlocks) {
  for_random_requests([](const Job& job, World& world) {
    const int room = blocks_available(world.cluster().free_per_node(), job.gpus_per_block);
    for (const PlacementEntry& entry : placements()) {
      SCOPED_TRACE(entry.name);
      const std::vector<int> where = place(entry.name, job, world);
      ASSERT_EQ(where.empty(), room * job.gpus_per_block < job.gpus);
      if (where.empty()) continue;
      ASSERT_EQ(block_problem(job, gpus(where), world.platform()), "");
      ASSERT_EQ(std::set<int>(where.begin(), where.end()).size(), where.size());
      for (const int gpu : where) ASSERT_EQ(world.cluster().free()[GpuId(gpu).index()], 1);
    }
  });
}

TEST(EveryPlacement, ExceptRandomNumbersRanksByAscendingGpu) {
  for_random_requests([](const Job& job, World& world) {
    for (const char* name : {"first_fit", "pack_by_leaf", "spread"}) {
      const std::vector<int> where = place(name, job, world);
      ASSERT_TRUE(std::is_sorted(where.begin(), where.end())) << name;
    }
  });
}

TEST(FirstFit, TakesTheLowestNodesWithABlock) {
  World world(small_platform(3, 4));
  world.run({3}, {0, 1, 2});
  world.run({1}, {5});
  EXPECT_THAT(place("first_fit", asking(3), world), ElementsAre(3, 4, 6));
  EXPECT_THAT(place("first_fit", asking(4, 2), world), ElementsAre(4, 6, 8, 9));
}

TEST(PackByLeaf, GivesASmallJobTheNodeThatItFillsBest) {
  World world(small_platform(3, 4, 3));
  world.run({1}, {0});
  world.run({2}, {4, 5});
  EXPECT_THAT(place("pack_by_leaf", asking(2), world), ElementsAre(6, 7));
  EXPECT_THAT(place("pack_by_leaf", asking(3), world), ElementsAre(1, 2, 3));
  EXPECT_THAT(place("pack_by_leaf", asking(4), world), ElementsAre(8, 9, 10, 11));
}

TEST(PackByLeaf, GivesALargeJobWholeNodesAndTheBestFitForTheRest) {
  World world(small_platform(3, 4, 3));
  world.run({1}, {0});
  world.run({2}, {4, 5});
  EXPECT_THAT(place("pack_by_leaf", asking(6), world), ElementsAre(6, 7, 8, 9, 10, 11));
}

TEST(PackByLeaf, ChoosesTheLeafThatTheJobFillsBest) {
  World world(small_platform(6, 2, 2));
  world.run({2}, {4, 5});  // leaf 1 has one node left, leaves 0 and 2 have two
  EXPECT_THAT(place("pack_by_leaf", asking(2), world), ElementsAre(6, 7));
  EXPECT_THAT(place("pack_by_leaf", asking(4), world), ElementsAre(0, 1, 2, 3));
}

TEST(PackByLeaf, PrefersFewNodesToATightFit) {
  World world(small_platform(4, 2, 2));
  world.run({2}, {0, 2});  // leaf 0 has exactly two GPUs left, on two nodes
  EXPECT_THAT(place("pack_by_leaf", asking(2), world), ElementsAre(4, 5));
}

TEST(PackByLeaf, TakesTheEmptiestLeavesWhenNoneIsEnough) {
  World world(small_platform(6, 2, 2));
  world.run({3}, {0, 1, 2});
  world.run({2}, {8, 9});
  // Free: one GPU in leaf 0, four in leaf 1, two in leaf 2.
  EXPECT_THAT(place("pack_by_leaf", asking(5), world), ElementsAre(3, 4, 5, 6, 7));
  EXPECT_THAT(place("pack_by_leaf", asking(6), world), ElementsAre(4, 5, 6, 7, 10, 11));
}

TEST(PackByLeaf, LeavesARestTooSmallForAnotherBlockBehindRatherThanAWholePair) {
  World world(small_platform(2, 3, 2));
  world.run({1}, {5});
  EXPECT_THAT(place("pack_by_leaf", asking(2, 2), world), ElementsAre(3, 4));
}

TEST(PackByLeaf, TakesNodesWithoutAFabricForOneLeaf) {
  Platform platform = small_platform(2, 2);
  for (Node& node : platform.nodes) node.leaf = SwitchId();
  World world(platform);
  EXPECT_THAT(place("pack_by_leaf", asking(3), world), ElementsAre(0, 1, 2));
}

TEST(PackByLeaf, UsesOneLeafWheneverOneIsEnoughAndOtherwiseTheFewest) {
  for_random_requests([](const Job& job, World& world) {
    const std::vector<int> where = place("pack_by_leaf", job, world);
    if (where.empty()) return;
    std::vector<int> room;
    for (const auto& [leaf, blocks] : blocks_by_leaf(job.gpus_per_block, world))
      room.push_back(blocks * job.gpus_per_block);
    std::sort(room.rbegin(), room.rend());
    std::size_t fewest = 0;
    for (int missing = job.gpus; missing > 0; ++fewest) missing -= room[fewest];
    ASSERT_EQ(leaves_of(where, world.platform()).size(), fewest);
  });
}

TEST(Spread, TakesTurnsAmongLeavesAndThenAmongNodes) {
  World world(small_platform(4, 4, 2));
  world.run({1}, {0});
  EXPECT_THAT(place("spread", asking(2), world), ElementsAre(4, 8)) << "the emptier nodes";
  EXPECT_THAT(nodes_of(place("spread", asking(4), world), world.platform()),
              ElementsAre(0, 1, 2, 3));
}

TEST(Spread, BeginsWithTheEmptiestLeaf) {
  World world(small_platform(4, 4, 2));
  world.run({1}, {0});
  EXPECT_THAT(place("spread", asking(1), world), ElementsAre(8));
}

TEST(Spread, UsesAsManyLeavesAsThereAreBlocks) {
  for_random_requests([](const Job& job, World& world) {
    const std::vector<int> where = place("spread", job, world);
    if (where.empty()) return;
    const auto blocks = static_cast<std::size_t>(job.gpus / job.gpus_per_block);
    const std::size_t leaves = blocks_by_leaf(job.gpus_per_block, world).size();
    ASSERT_EQ(leaves_of(where, world.platform()).size(), std::min(blocks, leaves));
  });
}

TEST(BlocksAvailable, CountsWholeBlocksNodeByNode) {
  EXPECT_EQ(blocks_available({4, 3, 1, 0}, 1), 8);
  EXPECT_EQ(blocks_available({4, 3, 1, 0}, 2), 3);
  EXPECT_EQ(blocks_available({4, 3, 1, 0}, 4), 1);
  EXPECT_EQ(blocks_available({4, 3, 1, 0}, 5), 0);
}

}  // namespace
}  // namespace trainyard
