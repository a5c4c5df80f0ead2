// What must hold for every policy with every placement, on random views.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace trainyard {
namespace {

constexpr int kRounds = 1500;

// Policies of our own: not the user's program.
std::vector<PolicyEntry> own_policies() {
  std::vector<PolicyEntry> own;
  for (const PolicyEntry& entry : policies())
    if (entry.name != std::string("process")) own.push_back(entry);
  return own;
}

// Calls `check(world, policy, placement)` for many random worlds and every pair of the registry.
template <typename Check>
void for_random_worlds(const std::string& only_policy, Check check) {
  RandomStream random(11);
  for (int round = 0; round < kRounds; ++round) {
    const auto world = random_world(random);
    for (const PolicyEntry& policy : own_policies())
      for (const PlacementEntry& placement : placements())
        if (only_policy.empty() || only_policy == policy.name) {
          SCOPED_TRACE(std::string(policy.name) + " with " + placement.name);
          check(*world, *policy.make({}), *placement.make({static_cast<std::uint64_t>(round)}));
          if (testing::Test::HasFatalFailure()) return;
        }
  }
}

std::vector<JobId> started(const std::vector<Decision>& decisions) {
  std::vector<JobId> jobs;
  for (const Decision& decision : decisions)
    if (const auto* start = std::get_if<Start>(&decision)) jobs.push_back(start->job);
  return jobs;
}

// How many jobs at the front of the queue are among those started.
std::size_t served_in_order(const ClusterView& view, const std::vector<JobId>& jobs) {
  std::size_t served = 0;
  for (; served < view.pending.size(); ++served)
    if (std::find(jobs.begin(), jobs.end(), view.pending[served]->id) == jobs.end()) break;
  return served;
}

// Carries decisions out on books of its own: free GPUs only, right count, whole blocks, no twice.
void expect_valid(const ClusterView& view, const std::vector<Decision>& decisions) {
  std::vector<char> free = *view.free;
  std::set<JobId> seen;
  for (const Decision& decision : decisions) {
    if (const auto* preempt = std::get_if<Preempt>(&decision)) {
      ASSERT_TRUE(seen.insert(preempt->job).second);
      for (const RunningJob& running : view.running)
        if (running.job->id == preempt->job && view.preemption_is_immediate)
          for (const GpuId gpu : running.allocation->gpus)
            free[gpu.index()] = (*view.node_up)[view.platform->gpus[gpu.index()].node.index()];
      continue;
    }
    const auto& start = std::get<Start>(decision);
    ASSERT_TRUE(seen.insert(start.job).second);
    const auto job = std::find_if(view.pending.begin(), view.pending.end(),
                                  [&](const Job* other) { return other->id == start.job; });
    ASSERT_NE(job, view.pending.end());
    ASSERT_EQ(block_problem(**job, start.allocation, *view.platform), "");
    for (const GpuId gpu : start.allocation.gpus)
      ASSERT_EQ(std::exchange(free[gpu.index()], char{0}), 1);
  }
}

TEST(EveryPolicy, DecidesOnlyWhatIsValidAfterTheDecisionsBefore) {
  for_random_worlds("", [](const World& world, const auto& policy, const auto& placement) {
    const ClusterView view = world.view(seconds(10));
    expect_valid(view, policy.decide(view, placement));
  });
}

TEST(EveryPolicy, SaysTheSameTwice) {
  for_random_worlds("", [](const World& world, const auto& policy, const auto& placement) {
    const ClusterView view = world.view(seconds(10));
    ASSERT_EQ(in_words(policy.decide(view, placement)), in_words(policy.decide(view, placement)));
  });
}

TEST(EveryPolicyInQueueOrder, StartsTheFirstJobIfItFits) {
  for (const char* name : {"fifo", "backfill", "conservative", "priority_preemption"})
    for_random_worlds(name, [](const World& world, const auto& policy, const auto& placement) {
      const ClusterView view = world.view(seconds(10));
      if (view.pending.empty()) return;
      const Job& head = *view.pending.front();
      const int room = blocks_available(*view.free_per_node, head.gpus_per_block);
      if (room * head.gpus_per_block < head.gpus) return;
      ASSERT_GE(served_in_order(view, started(policy.decide(view, placement))), 1U);
    });
}

TEST(ShortestFirst, StartsNobodyWhileAShorterJobOfItsPriorityWaits) {
  for_random_worlds("shortest_first",
                    [](const World& world, const auto& policy, const auto& placement) {
                      const ClusterView view = world.view(seconds(10));
                      const std::vector<JobId> jobs = started(policy.decide(view, placement));
                      const std::set<JobId> is_started(jobs.begin(), jobs.end());
                      for (const Job* waiting : view.pending) {
                        if (is_started.count(waiting->id) > 0) continue;
                        for (const JobId job : jobs) {
                          const Job& other = world.job(job);
                          if (other.priority != waiting->priority) continue;
                          ASSERT_LE(other.limit, waiting->limit);
                        }
                      }
                    });
}

TEST(Fifo, StartsAPrefixOfTheQueueOnRandomViews) {
  for_random_worlds("fifo", [](const World& world, const auto& policy, const auto& placement) {
    const ClusterView view = world.view(seconds(10));
    const std::vector<JobId> jobs = started(policy.decide(view, placement));
    ASSERT_EQ(served_in_order(view, jobs), jobs.size());
  });
}

TEST(PriorityPreemption, StartsAPrefixOfTheQueueAndPreemptsStrictlyLowerOnRandomViews) {
  for_random_worlds(
      "priority_preemption", [](World& world, const auto& policy, const auto& placement) {
        const ClusterView view = world.view(seconds(10));
        const std::vector<Decision> decisions = policy.decide(view, placement);
        const std::vector<JobId> jobs = started(decisions);
        ASSERT_EQ(served_in_order(view, jobs), jobs.size());
        for (const Decision& decision : decisions) {
          const auto* preempt = std::get_if<Preempt>(&decision);
          if (preempt == nullptr) continue;
          ASSERT_LT(world.job(preempt->job).priority, world.job(preempt->for_job).priority);
        }
      });
}

// --- EASY's promise, counted anew and without cleverness ---

struct Leaving {
  Seconds at;
  std::vector<GpuId> gpus;
};

std::vector<Leaving> all_leaving(const ClusterView& view) {
  std::vector<Leaving> leaving;
  for (const RunningJob& running : view.running) {
    Seconds at = running.started + running.job->limit;
    if (running.releasing || at <= view.now) at = view.now + seconds(1);
    leaving.push_back({at, running.allocation->gpus});
  }
  return leaving;
}

// The first moment at which `head` fits if nothing else starts; nothing if it never does.
std::optional<Seconds> earliest(const Job& head, const ClusterView& view, std::vector<char> free,
                                std::vector<Leaving> leaving) {
  std::sort(leaving.begin(), leaving.end(),
            [](const Leaving& a, const Leaving& b) { return a.at < b.at; });
  leaving.insert(leaving.begin(), {view.now, {}});
  for (const Leaving& next : leaving) {
    for (const GpuId gpu : next.gpus)
      free[gpu.index()] = (*view.node_up)[view.platform->gpus[gpu.index()].node.index()];
    std::vector<int> per_node(view.platform->nodes.size(), 0);
    for (std::size_t gpu = 0; gpu < free.size(); ++gpu)
      per_node[view.platform->gpus[gpu].node.index()] += free[gpu];
    if (blocks_available(per_node, head.gpus_per_block) * head.gpus_per_block >= head.gpus)
      return next.at;
  }
  return {};
}

// Conservative backfill promises the same to the head, and more to the others.
class HeadOfTheQueue : public testing::TestWithParam<const char*> {};

TEST_P(HeadOfTheQueue, IsNeverDelayedBeyondItsShadowTimeOnRandomViews) {
  int overtaken = 0;
  for_random_worlds(GetParam(), [&](const World& world, const auto& policy, const auto& placement) {
    const ClusterView view = world.view(seconds(10));
    const std::vector<Decision> decisions = policy.decide(view, placement);
    const std::size_t in_order = served_in_order(view, started(decisions));
    if (in_order == view.pending.size()) return;
    const Job& head = *view.pending[in_order];
    std::vector<char> free = *view.free;
    std::vector<Leaving> leaving = all_leaving(view);
    std::optional<Seconds> shadow;
    for (std::size_t i = 0; i <= decisions.size(); ++i) {
      if (i == in_order) shadow = earliest(head, view, free, leaving);
      if (i == decisions.size()) break;
      const auto& start = std::get<Start>(decisions[i]);
      leaving.push_back({view.now + world.job(start.job).limit, start.allocation.gpus});
      for (const GpuId gpu : start.allocation.gpus) free[gpu.index()] = 0;
    }
    if (!shadow) return;
    overtaken += decisions.size() > in_order ? 1 : 0;
    ASSERT_LE(earliest(head, view, free, leaving).value(), *shadow);
  });
  EXPECT_GT(overtaken, 100) << "or the test looked at nothing";
}

INSTANTIATE_TEST_SUITE_P(Backfilling, HeadOfTheQueue, testing::Values("backfill", "conservative"));

TEST(Registry, SaysTruthfullyWhichPoliciesPreempt) {
  for (const PolicyEntry& policy : own_policies()) {
    bool preempted = false;
    for_random_worlds(policy.name, [&](const World& world, const auto& it, const auto& placement) {
      for (const Decision& decision : it.decide(world.view(), placement))
        preempted = preempted || std::holds_alternative<Preempt>(decision);
    });
    EXPECT_EQ(preempted, policy.preempts) << policy.name;
  }
}

}  // namespace
}  // namespace trainyard
