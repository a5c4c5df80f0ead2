// Strict priority with preemption, on views made by hand.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kLow = 0, kMiddle = 1, kHigh = 2;

std::vector<std::string> decide_now(const World& world) {
  return decide("priority_preemption", world.view());
}

void let_it_decide(World& world) {
  world.carry_out(
      policy_named("priority_preemption")->decide(world.view(), *placement_named("first_fit")));
}

TEST(PriorityPreemption, StartsWithoutVictimsWhatFits) {
  World world(small_platform(1, 2));
  world.run({1, forever(), kLow}, {0});
  world.submit({1, forever(), kHigh});
  EXPECT_THAT(decide_now(world), ElementsAre("start 1 on 1"));
}

TEST(PriorityPreemption, MakesRoomAndStartsInTheSameDecision) {
  World world(small_platform(1, 2));
  world.run({2, forever(), kLow}, {0, 1});
  world.submit({1, forever(), kHigh});
  EXPECT_THAT(decide_now(world), ElementsAre("preempt 0 for 1", "start 1 on 0"));
}

TEST(PriorityPreemption, NeverPreemptsAnEqual) {
  World world(small_platform(1, 1));
  world.run({1, forever(), kHigh}, {0});
  world.submit({1, forever(), kHigh});
  EXPECT_THAT(decide_now(world), IsEmpty());
}

TEST(PriorityPreemption, PreemptsNobodyIfAllVictimsWouldNotBeEnough) {
  World world(small_platform(1, 2));
  world.run({1, forever(), kLow}, {0});
  world.run({1, forever(), kHigh}, {1});
  world.submit({2, forever(), kMiddle});
  EXPECT_THAT(decide_now(world), IsEmpty());
}

TEST(PriorityPreemption, DoesNotHopeForGpusOfADownNode) {
  World world(small_platform(2, 1));
  world.run({1, forever(), kLow}, {0});
  world.run({1, forever(), kLow}, {1});
  world.cluster().node_down(NodeId(1));
  world.submit({2, forever(), kHigh});
  EXPECT_THAT(decide_now(world), IsEmpty());
}

TEST(PriorityPreemption, LetsNobodyOvertakeABlockedJob) {
  World world(small_platform(1, 4));
  world.run({3, forever(), kHigh}, {0, 1, 2});
  world.submit({2, forever(), kHigh});
  world.submit({1, forever(), kLow});
  EXPECT_THAT(decide_now(world), IsEmpty());
}

TEST(PriorityPreemption, ServesTheRestOfTheQueueAfterMakingRoom) {
  World world(small_platform(1, 4));
  world.run({3, forever(), kLow}, {0, 1, 2});
  world.submit({2, forever(), kHigh});
  world.submit({2, forever(), kMiddle});
  EXPECT_THAT(decide_now(world),
              ElementsAre("preempt 0 for 1", "start 1 on 0 1", "start 2 on 2 3"));
}

TEST(PriorityPreemption, EachJobOfTheQueueHasItsOwnVictims) {
  World world(small_platform(1, 2));
  world.run({1, forever(), kLow}, {0});
  world.run({1, forever(), kMiddle}, {1});
  world.submit({1, forever(), kHigh});
  world.submit({1, forever(), kHigh});
  EXPECT_THAT(decide_now(world),
              ElementsAre("preempt 0 for 2", "start 2 on 0", "preempt 1 for 3", "start 3 on 1"));
}

TEST(PriorityPreemption, AVictimMayInItsTurnPreemptALesserOne) {
  World world(small_platform(2, 1));
  const JobId low = world.run({1, forever(), kLow}, {0});
  const JobId middle = world.run({1, forever(), kMiddle}, {1});
  world.cluster().node_down(NodeId(0));
  const JobId high = world.submit({1, forever(), kHigh});
  let_it_decide(world);  // low's node is no use: middle goes
  EXPECT_THAT(world.cluster().jobs_on(NodeId(1)), ElementsAre(high));
  world.cluster().node_up(NodeId(0));
  let_it_decide(world);
  EXPECT_THAT(world.cluster().jobs_on(NodeId(0)), ElementsAre(middle));
  world.end(high);
  let_it_decide(world);
  EXPECT_THAT(world.cluster().jobs_on(NodeId(1)), ElementsAre(low));
}

TEST(PriorityPreemption, WithCheckpointsTheStartFollowsWhenTheGpusAreBack) {
  World world(small_platform(1, 2));
  world.preemption_takes_time();
  const JobId low = world.run({2, forever(), kLow}, {0, 1});
  world.submit({2, forever(), kHigh});
  EXPECT_THAT(decide_now(world), ElementsAre("preempt 0 for 1"));
  let_it_decide(world);
  EXPECT_THAT(decide_now(world), IsEmpty()) << "its victim is writing its checkpoint";
  world.end(low);
  EXPECT_THAT(decide_now(world), ElementsAre("start 1 on 0 1"));
}

TEST(PriorityPreemption, CountsWhatIsReleasingBeforeItPreemptsMore) {
  World world(small_platform(1, 4));
  world.preemption_takes_time();
  world.mark_releasing(world.run({1, forever(), kLow}, {0}));
  world.run({1, forever(), kLow}, {1}, seconds(3));
  world.run({2, forever(), kLow}, {2, 3}, seconds(2));
  world.submit({2, forever(), kHigh});
  EXPECT_THAT(decide_now(world), ElementsAre("preempt 1 for 3"));
}

TEST(PriorityPreemption, WithCheckpointsJobsBehindTheFirstPreemptForThemselves) {
  World world(small_platform(1, 2));
  world.preemption_takes_time();
  world.run({1, forever(), kLow}, {0});
  world.run({1, forever(), kLow}, {1});
  world.submit({1, forever(), kHigh});
  world.submit({1, forever(), kHigh});
  EXPECT_THAT(decide_now(world), ElementsAre("preempt 1 for 2", "preempt 0 for 3"));
  let_it_decide(world);
  EXPECT_THAT(decide_now(world), IsEmpty());
}

TEST(PriorityPreemption, StartsWhatFitsBeforeItWaitsForAnything) {
  World world(small_platform(1, 3));
  world.preemption_takes_time();
  world.run({2, forever(), kLow}, {0, 1});
  world.submit({1, forever(), kHigh});
  world.submit({1, forever(), kMiddle});
  EXPECT_THAT(decide_now(world), ElementsAre("start 1 on 2", "preempt 0 for 2"));
}

// One thing happens: a victim's checkpoint is written, or a job ends.
void something_happens(World& world, RandomStream& random) {
  const std::vector<RunningJob> running = world.view().running;
  const RunningJob& it = running[random.below(running.size())];
  if (it.releasing)
    world.requeue(it.job->id);
  else
    world.end(it.job->id);
}

TEST(PriorityPreemption, LetsEveryJobEndHoweverManyAreInTheWay) {
  RandomStream random(8);
  for (int round = 0; round < 500; ++round) {
    const auto world = random_world(random);
    for (int node = 0; node < world->platform().node_count(); ++node)
      world->cluster().node_up(NodeId(node));
    int events = 0;
    for (let_it_decide(*world); !world->view().running.empty(); let_it_decide(*world)) {
      something_happens(*world, random);
      ASSERT_LT(++events, 1000);
    }
    if (world->view().pending.empty()) continue;
    const Job& head = *world->view().pending.front();
    const int room = blocks_available(world->cluster().free_per_node(), head.gpus_per_block);
    ASSERT_LT(room * head.gpus_per_block, head.gpus) << "only a job larger than the cluster waits";
  }
}

}  // namespace
}  // namespace trainyard
