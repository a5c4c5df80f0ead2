// EASY backfill, on views made by hand.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Four one-GPU nodes, three of them busy until 10 s, and a head that wants all four.
class BehindABlockedHead : public testing::Test {
protected:
  BehindABlockedHead() : world(small_platform(4, 1)) {
    world.run({3, seconds(10)}, {0, 1, 2});
    head = world.submit({4, seconds(100)});
  }
  World world;
  JobId head;
};

TEST_F(BehindABlockedHead, AJobThatEndsByTheShadowTimeMayOvertake) {
  world.submit({1, seconds(10)});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 2 on 3"));
}

TEST_F(BehindABlockedHead, AJobThatEndsLaterMayNot) {
  world.submit({1, seconds(10.5)});
  world.submit({1});  // without a limit
  EXPECT_THAT(decide("backfill", world.view()), IsEmpty());
}

TEST_F(BehindABlockedHead, TheShadowTimeComesNearerAsTimePasses) {
  world.submit({1, seconds(10)});
  EXPECT_THAT(decide("backfill", world.view(seconds(1))), IsEmpty());
}

TEST_F(BehindABlockedHead, AJobPastItsLimitCountsAsEndingInASecond) {
  world.submit({1, seconds(2)});
  world.submit({1, seconds(1)});
  EXPECT_THAT(decide("backfill", world.view(seconds(50))), ElementsAre("start 3 on 3"));
}

TEST_F(BehindABlockedHead, ADownNodeIsNotExpectedBackSoAnImpossibleHeadBlocksNobody) {
  world.cluster().node_down(NodeId(0));
  world.submit({1});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 2 on 3"));
}

TEST(Backfill, StartsInOrderWhatFitsLikeFifo) {
  World world(small_platform(1, 4));
  world.submit({1});
  world.submit({2});
  world.submit({2});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 0 on 0", "start 1 on 1 2"));
}

TEST(Backfill, ALongJobMayUseWhatTheHeadLeavesAtTheShadowTime) {
  World world(small_platform(6, 1));
  world.run({4, seconds(10)}, {0, 1, 2, 3});
  world.submit({5, seconds(100)});  // at 10 s six are free, so one is over
  world.submit({1});
  world.submit({1});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 2 on 4"));
}

TEST(Backfill, JobsEndingTogetherAtTheShadowTimeAllCountAsFreeThen) {
  World world(small_platform(4, 1));
  world.run({1, seconds(10)}, {0});
  world.run({1, seconds(10)}, {1});
  world.run({1, seconds(10)}, {2});
  world.submit({2});
  world.submit({1});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 4 on 3"));
}

TEST(Backfill, CountsJobsThatItHasJustStartedAsRunningToTheirLimit) {
  World world(small_platform(4, 1));
  world.submit({3, seconds(10)});
  world.submit({4});
  world.submit({1, seconds(11)});
  world.submit({1, seconds(10)});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 0 on 0 1 2", "start 3 on 3"));
}

// At 10 s three GPUs are free on each node, and the head needs a pair on each: two of the six are
// over, but not the two free now on node 1.
TEST(Backfill, CountsTheHeadsBlocksOnNodesAndNotTotals) {
  World world(small_platform(2, 4));
  world.run({2}, {0, 4});
  world.run({3, seconds(10)}, {1, 2, 5});
  world.submit({4, forever(), 0, /*per_block=*/2});
  world.submit({2, forever(), 0, /*per_block=*/2});
  world.submit({2});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 4 on 3 6"));
}

TEST(Backfill, WaitsForAWholeNodeIfTheHeadNeedsOne) {
  World world(small_platform(2, 4));
  world.run({2, seconds(20)}, {0, 4});
  world.run({3, seconds(10)}, {1, 2, 5});
  world.submit({4, forever(), 0, /*per_block=*/4});  // six are free at 10 s, a whole node at 20 s
  world.submit({3, seconds(20)});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 3 on 3 6 7"));
}

TEST(Backfill, AHeadBehindAJobWithoutLimitIsOvertakenOnlyByJobsWithOne) {
  World world(small_platform(4, 1));
  world.run({2}, {0, 1});
  world.submit({4});
  world.submit({1});
  world.submit({1, hours(1000)});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 3 on 2"));
}

TEST(Backfill, ReservesForTheHeadOnly) {
  World world(small_platform(4, 1));
  world.run({2, seconds(10)}, {0, 1});
  world.submit({3, seconds(10)});  // head: at 10 s
  world.submit({4, seconds(10)});  // would be next, at 20 s: not protected
  world.submit({1, seconds(100)});
  EXPECT_THAT(decide("backfill", world.view()), ElementsAre("start 3 on 2"));
}

// At 10 s the head needs nodes 0 and 1; GPU 5 is over. First fit offers GPU 5 last.
TEST(Backfill, ARefusedRequestIsTriedAgainOnceSomethingElseHasStarted) {
  World world(small_platform(3, 2));
  world.run({1, seconds(10)}, {0});
  world.run({1}, {4});
  world.submit({4, forever(), 0, /*per_block=*/2});
  world.submit({1});               // would go to GPU 1 for ever, and node 0 be lost: refused
  world.submit({1});               // alike
  world.submit({1, seconds(10)});  // goes to GPU 1
  world.submit({2, seconds(10)});  // goes to GPUs 2 and 3
  world.submit({1});               // like the refused ones, but GPU 5 is next now
  EXPECT_THAT(decide("backfill", world.view()),
              ElementsAre("start 5 on 1", "start 6 on 2 3", "start 7 on 5"));
}

}  // namespace
}  // namespace trainyard
