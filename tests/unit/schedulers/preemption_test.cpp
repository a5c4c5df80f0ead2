// Whom to preempt: the order, the sparing, and that no victim is in vain.
#include "schedulers/preemption.hpp"

#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<RunningJob> victims(const Job& job, const ClusterView& view) {
  return choose_victims(job, view.running, Capacity(view, *view.free_per_node, job.gpus_per_block));
}

std::vector<int> victim_ids(const World& world, const Ask& ask) {
  Job job;
  job.gpus = ask.gpus;
  job.gpus_per_block = ask.per_block;
  job.priority = ask.priority;
  std::vector<int> ids;
  for (const RunningJob& victim : victims(job, world.view())) ids.push_back(victim.job->id.value());
  return ids;
}

TEST(Victims, TheLowestPriorityGoesFirst) {
  World world(small_platform(1, 3));
  world.run({1, forever(), /*priority=*/2}, {0}, seconds(9));
  world.run({1, forever(), /*priority=*/1}, {1}, seconds(1));
  world.run({1, forever(), /*priority=*/2}, {2}, seconds(9));
  EXPECT_THAT(victim_ids(world, {1, forever(), 5}), ElementsAre(1));
}

TEST(Victims, AmongEqualsTheMostRecentlyStartedGoesFirst) {
  World world(small_platform(1, 3));
  world.run({1}, {0}, seconds(1));
  world.run({1}, {1}, seconds(3));
  world.run({1}, {2}, seconds(2));
  EXPECT_THAT(victim_ids(world, {2, forever(), 5}), ElementsAre(1, 2));
}

TEST(Victims, AmongThoseStartedTogetherTheHighestIdGoesFirst) {
  World world(small_platform(1, 3));
  world.run({1}, {0});
  world.run({1}, {1});
  world.run({1}, {2});
  EXPECT_THAT(victim_ids(world, {2, forever(), 5}), ElementsAre(2, 1));
}

TEST(Victims, ASmallOneIsSparedIfALargerOneMustGoAnyway) {
  World world(small_platform(1, 4));
  world.run({3}, {0, 1, 2}, seconds(1));
  world.run({1}, {3}, seconds(2));
  EXPECT_THAT(victim_ids(world, {3, forever(), 5}), ElementsAre(0));
}

TEST(Victims, OneOnTheWrongNodeIsSpared) {
  World world(small_platform(2, 2));
  world.run({1}, {0}, seconds(1));
  world.run({1, forever(), /*priority=*/9}, {1});
  world.run({1}, {2}, seconds(0));
  EXPECT_THAT(victim_ids(world, {2, forever(), 5, /*per_block=*/2}), ElementsAre(2));
}

TEST(Victims, AreNoneIfTheJobFitsOrCannotBeHelped) {
  World world(small_platform(1, 3));
  world.run({1}, {0});
  EXPECT_THAT(victim_ids(world, {2, forever(), 5}), IsEmpty());
  EXPECT_THAT(victim_ids(world, {4, forever(), 5}), IsEmpty());
}

TEST(Victims, AreNeverThoseWhoReleaseAlready) {
  World world(small_platform(1, 2));
  world.mark_releasing(world.run({1}, {0}));
  world.run({1}, {1});
  EXPECT_THAT(victim_ids(world, {1, forever(), 5}), ElementsAre(1));
  EXPECT_THAT(victim_ids(world, {2, forever(), 5}), IsEmpty());
}

// Whether `job` fits once `gone` have left, counted anew.
bool fits_without(const Job& job, const std::vector<RunningJob>& gone, const ClusterView& view) {
  std::vector<int> free = *view.free_per_node;
  for (const RunningJob& victim : gone)
    for (const GpuId gpu : victim.allocation->gpus) {
      const NodeId node = view.platform->gpus[gpu.index()].node;
      free[node.index()] += (*view.node_up)[node.index()];
    }
  return blocks_available(free, job.gpus_per_block) * job.gpus_per_block >= job.gpus;
}

void expect_no_victim_in_vain(const Job& job, const ClusterView& view) {
  const std::vector<RunningJob> chosen = victims(job, view);
  std::vector<RunningJob> everyone;
  for (const RunningJob& running : view.running)
    if (!running.releasing && running.job->priority < job.priority) everyone.push_back(running);
  const bool needed = !fits_without(job, {}, view) && fits_without(job, everyone, view);
  ASSERT_EQ(chosen.empty(), !needed);
  if (chosen.empty()) return;
  ASSERT_TRUE(fits_without(job, chosen, view));
  for (std::size_t spared = 0; spared < chosen.size(); ++spared) {
    ASSERT_LT(chosen[spared].job->priority, job.priority);
    std::vector<RunningJob> others = chosen;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(spared));
    ASSERT_FALSE(fits_without(job, others, view));
  }
}

TEST(Victims, AreEnoughAndNoneInVainOnRandomViews) {
  RandomStream random(3);
  for (int round = 0; round < 2000; ++round) {
    const auto world = random_world(random);
    const ClusterView view = world->view(seconds(10));
    for (const Job* job : view.pending) expect_no_victim_in_vain(*job, view);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace trainyard
