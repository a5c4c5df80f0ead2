// First in, first out, on views made by hand.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Fifo, StartsJobsInOrderWhileTheyFit) {
  World world(small_platform(2, 2));
  world.submit({1});
  world.submit({2});
  EXPECT_THAT(decide("fifo", world.view()), ElementsAre("start 0 on 0", "start 1 on 1 2"));
}

TEST(Fifo, LetsNobodyOvertakeAJobThatDoesNotFit) {
  World world(small_platform(2, 2));
  world.run({2}, {0, 1});
  world.submit({3});
  world.submit({1});
  EXPECT_THAT(decide("fifo", world.view()), IsEmpty());
}

TEST(Fifo, TakesTheHigherPriorityFirst) {
  World world(small_platform(1, 2));
  world.submit({2, forever(), /*priority=*/0});
  world.submit({1, forever(), /*priority=*/5});
  EXPECT_THAT(decide("fifo", world.view()), ElementsAre("start 1 on 0"));
}

TEST(Fifo, NeedsEachBlockOnOneNode) {
  World world(small_platform(2, 4));
  world.run({3}, {0, 1, 2});
  world.run({3}, {4, 5, 6});
  world.submit({2, forever(), 0, /*per_block=*/2});
  EXPECT_THAT(decide("fifo", world.view()), IsEmpty()) << "one GPU is free on each of two nodes";
}

TEST(Fifo, WaitsForANodeThatIsDown) {
  World world(small_platform(2, 2));
  world.cluster().node_down(NodeId(0));
  world.submit({3});
  world.submit({1});
  EXPECT_THAT(decide("fifo", world.view()), IsEmpty());
  world.cluster().node_up(NodeId(0));
  EXPECT_THAT(decide("fifo", world.view()), ElementsAre("start 0 on 0 1 2", "start 1 on 3"));
}

TEST(Fifo, HasNothingToSayAboutAnEmptyQueueOrAFullCluster) {
  World world(small_platform(1, 1));
  EXPECT_THAT(decide("fifo", world.view()), IsEmpty());
  world.run({1}, {0});
  world.submit({1});
  EXPECT_THAT(decide("fifo", world.view()), IsEmpty());
}

}  // namespace
}  // namespace trainyard
