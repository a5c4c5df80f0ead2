// Elastic jobs share what there is: who grows, who shrinks, who waits.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard {
namespace {

using Words = std::vector<std::string>;

Ask elastic(int gpus, const std::vector<int>& sizes, int per_block = 1) {
  Ask ask;
  ask.gpus = gpus;
  ask.sizes = sizes;
  ask.per_block = per_block;
  return ask;
}

std::vector<int> range(int first, int last) {
  std::vector<int> numbers;
  for (int number = first; number <= last; ++number) numbers.push_back(number);
  return numbers;
}

constexpr Seconds kLater = minutes(20);  // than jobs must have run to grow

TEST(ElasticPolicy, JobsThatStartTogetherShareEvenly) {
  World world(small_platform(2, 4));
  world.submit(elastic(1, {1, 2, 3, 4, 5, 6}));
  world.submit({2});
  world.submit(elastic(2, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(decide("elastic", world.view()),
            (Words{"start 0 on 0 1 2", "start 1 on 3 4", "start 2 on 5 6 7"}));
}

TEST(ElasticPolicy, IdleGpusGoToWhoHasFewest) {
  World world(small_platform(2, 4));
  world.run(elastic(2, {2, 4, 6}), {0, 1, 2, 3});
  world.run(elastic(1, {1, 2, 3}), {4});
  EXPECT_EQ(decide("elastic", world.view(kLater)), (Words{"resize 1 to 3"}));
}

TEST(ElasticPolicy, AJobGrowsOnlyWhenItHasRunForAWhileAndIsAskedThen) {
  World world(small_platform(2, 4));
  world.run(elastic(4, {4, 8}), {0, 1, 2, 3}, seconds(100));
  const auto policy = policy_named("elastic");
  EXPECT_EQ(decide("elastic", world.view(seconds(699))), Words{});
  EXPECT_EQ(policy->wake(world.view(seconds(699))), seconds(700));
  EXPECT_EQ(decide("elastic", world.view(seconds(700))), (Words{"resize 0 to 8"}));
  EXPECT_EQ(policy->wake(world.view(seconds(700))), forever());
}

TEST(ElasticPolicy, WhoHasMostShrinksForWhoWaitsAndNobodyGrows) {
  World world(small_platform(3, 4));
  world.run(elastic(6, range(1, 8)), {0, 1, 2, 3, 4, 5});
  world.run(elastic(4, range(1, 8)), {6, 7, 8, 9});
  world.submit({6});
  // 2 GPUs are idle and 4 are missing: 6 and 4 become 3 and 3.
  EXPECT_EQ(decide("elastic", world.view(kLater)), (Words{"resize 0 to 3", "resize 1 to 3"}));
}

TEST(ElasticPolicy, NobodyShrinksInVain) {
  World world(small_platform(2, 4));
  world.run(elastic(4, {2, 4}), {0, 1, 2, 3});
  world.run({4}, {4, 5, 6, 7});
  world.submit({3});
  world.submit({1});
  EXPECT_EQ(decide("elastic", world.view(kLater)), Words{});
}

TEST(ElasticPolicy, WhatIsOnItsWayIsCountedAndNobodyOvertakes) {
  World world(small_platform(2, 4));
  const JobId wide = world.run(elastic(8, {2, 4, 6, 8}), range(0, 7));
  world.submit({4});
  world.submit(elastic(1, {1, 2}));
  world.carry_out(policy_named("elastic")->decide(world.view(), *placement_named("first_fit")));
  EXPECT_EQ(decide("elastic", world.view(seconds(1))), Words{}) << "it is leaving already";
  world.leave_to_resize(wide);
  EXPECT_EQ(decide("elastic", world.view(seconds(2))),
            (Words{"start 0 on 0 1 2 3", "start 1 on 4 5 6 7"}));
}

TEST(ElasticPolicy, BlocksOfATensorGroupStayTogether) {
  World world(small_platform(2, 4));
  world.run({1}, {0});
  world.run({1}, {4});
  world.submit(elastic(4, {2, 4, 6, 8}, 2));  // 6 GPUs are free, in 1 + 1 blocks of two
  EXPECT_EQ(decide("elastic", world.view()), (Words{"start 2 on 1 2 5 6"}));
}

// Resized at every decision or not at all: whatever the view, what is said can be carried out, and
// everybody who waits gets a place in the end.
TEST(ElasticPolicy, ServesEverybodyInTheEndOnRandomWorlds) {
  RandomStream random(7);
  for (int round = 0; round < 300; ++round) {
    World world(small_platform(3, 4));
    const auto pick = [&](int most) {
      return static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
    };
    const auto policy = policy_named("elastic");
    const auto placement = placement_named("pack_by_leaf");
    int jobs = 0;
    for (int event = 0; event < 60 || !world.view().pending.empty(); ++event) {
      ASSERT_LT(event, 2000);
      const ClusterView view = world.view(minutes(event));
      std::vector<JobId> leaving, running;
      for (const RunningJob& one : view.running)
        (one.releasing ? leaving : running).push_back(one.job->id);
      if (jobs < 20 && pick(2) == 0) {
        const int per_block = 1 + pick(2), gpus = per_block * (1 + pick(4));
        Ask ask = elastic(gpus, {}, per_block);
        if (pick(3) > 0)
          for (int size = per_block; size <= 12; size += per_block) ask.sizes.push_back(size);
        world.submit(ask);
        ++jobs;
      } else if (!leaving.empty()) {
        world.leave_to_resize(
            leaving[static_cast<std::size_t>(pick(static_cast<int>(leaving.size())))]);
      } else if (!running.empty() && pick(2) == 0) {
        world.end(running[static_cast<std::size_t>(pick(static_cast<int>(running.size())))]);
      }
      ASSERT_NO_THROW(
          world.carry_out(policy->decide(world.view(minutes(event)), *placement), minutes(event)));
    }
  }
}

}  // namespace
}  // namespace trainyard
