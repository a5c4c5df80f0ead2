// The bookkeeping: who holds what, and that no sequence of events makes the counts lie.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <stdexcept>

namespace trainyard {
namespace {

using testing::ElementsAre;

TEST(Cluster, IsAllFreeAtFirst) {
  const Platform platform = small_platform(2, 4);
  const Cluster cluster(platform);
  EXPECT_EQ(cluster.free_gpus(), 2 * 4);
  EXPECT_THAT(cluster.free_per_node(), ElementsAre(4, 4));
  EXPECT_EQ(cluster.allocated_gpus(), 0);
  EXPECT_EQ(cluster.down_gpus(), 0);
}

TEST(Cluster, TakesGpusOnAllocationAndGivesThemBackOnRelease) {
  const Platform platform = small_platform(2, 2);
  Cluster cluster(platform);
  cluster.allocate(JobId(7), gpus({1, 2}));
  EXPECT_THAT(cluster.free(), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(cluster.free_per_node(), ElementsAre(1, 1));
  EXPECT_EQ(cluster.allocated_gpus(), 2);
  EXPECT_EQ(cluster.allocation(JobId(7)).gpus, gpus({1, 2}).gpus);
  cluster.release(JobId(7));
  EXPECT_EQ(cluster.free_gpus(), 4);
  EXPECT_EQ(cluster.allocated_gpus(), 0);
}

TEST(Cluster, RefusesWhatIsNotFreeAndChangesNothing) {
  const Platform platform = small_platform(2, 2);
  Cluster cluster(platform);
  cluster.allocate(JobId(0), gpus({1}));
  cluster.node_down(NodeId(1));
  for (const auto& bad : {gpus({0, 1}), gpus({2}), gpus({0, 0}), gpus({4}), gpus({-1}), gpus({})})
    EXPECT_THROW(cluster.allocate(JobId(1), bad), std::logic_error);
  EXPECT_THROW(cluster.allocate(JobId(0), gpus({0})), std::logic_error) << "holds some already";
  EXPECT_THROW(cluster.release(JobId(1)), std::logic_error);
  EXPECT_THROW(cluster.allocation(JobId(1)), std::logic_error);
  EXPECT_THAT(cluster.free(), ElementsAre(1, 0, 0, 0));
  EXPECT_EQ(cluster.allocated_gpus(), 1);
}

TEST(Cluster, GpusReleasedOnADownNodeComeBackOnlyWithTheNode) {
  const Platform platform = small_platform(2, 2);
  Cluster cluster(platform);
  cluster.allocate(JobId(0), gpus({1, 2}));
  cluster.node_down(NodeId(0));
  EXPECT_EQ(cluster.free_gpus(), 1) << "only GPU 3";
  EXPECT_EQ(cluster.down_gpus(), 1) << "GPU 0; GPU 1 is still held";
  cluster.release(JobId(0));
  EXPECT_THAT(cluster.free(), ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(cluster.down_gpus(), 2);
  cluster.node_up(NodeId(0));
  EXPECT_EQ(cluster.free_gpus(), 4);
  EXPECT_EQ(cluster.down_gpus(), 0);
}

TEST(Cluster, ANodeThatComesBackUnderARunningJobStaysHeld) {
  const Platform platform = small_platform(1, 2);
  Cluster cluster(platform);
  cluster.allocate(JobId(0), gpus({0}));
  cluster.node_down(NodeId(0));
  cluster.node_down(NodeId(0));
  cluster.node_up(NodeId(0));
  EXPECT_THAT(cluster.free(), ElementsAre(0, 1));
  EXPECT_THAT(cluster.up(), ElementsAre(1));
}

TEST(Cluster, ListsTheJobsOnANodeByIdAndOnce) {
  const Platform platform = small_platform(2, 4);
  Cluster cluster(platform);
  cluster.allocate(JobId(9), gpus({0, 3, 4}));
  cluster.allocate(JobId(2), gpus({1}));
  EXPECT_THAT(cluster.jobs_on(NodeId(0)), ElementsAre(JobId(2), JobId(9)));
  EXPECT_THAT(cluster.jobs_on(NodeId(1)), ElementsAre(JobId(9)));
}

// A second book, kept the slow and obvious way.
struct Ledger {
  std::map<JobId, Allocation> held;
  std::vector<bool> up;
};

void expect_agreement(const Cluster& cluster, const Ledger& ledger, const Platform& platform) {
  std::vector<char> free;
  std::vector<int> per_node(platform.nodes.size(), 0);
  for (const Gpu& gpu : platform.gpus) free.push_back(ledger.up[gpu.node.index()] ? 1 : 0);
  int allocated = 0;
  for (const auto& [job, allocation] : ledger.held)
    for (const GpuId gpu : allocation.gpus) free[gpu.index()] = 0, ++allocated;
  for (std::size_t gpu = 0; gpu < free.size(); ++gpu)
    per_node[platform.gpus[gpu].node.index()] += free[gpu];
  int total = 0;
  for (const int count : per_node) total += count;
  ASSERT_EQ(cluster.free(), free);
  ASSERT_EQ(cluster.free_per_node(), per_node);
  ASSERT_EQ(cluster.free_gpus(), total);
  ASSERT_EQ(cluster.allocated_gpus(), allocated);
  ASSERT_EQ(cluster.down_gpus(), platform.gpu_count() - total - allocated);
}

void allocate_something(JobId job, Cluster& cluster, Ledger& ledger, RandomStream& random) {
  Allocation wish;
  for (std::size_t gpu = 0; gpu < cluster.free().size(); ++gpu)
    if (cluster.free()[gpu] != 0 && random.below(3) == 0)
      wish.gpus.emplace_back(static_cast<int>(gpu));
  if (wish.gpus.empty()) return;
  cluster.allocate(job, wish);
  ledger.held[job] = wish;
}

void release_something(Cluster& cluster, Ledger& ledger, RandomStream& random) {
  if (ledger.held.empty()) return;
  const auto job =
      std::next(ledger.held.begin(), static_cast<std::ptrdiff_t>(random.below(ledger.held.size())));
  cluster.release(job->first);
  ledger.held.erase(job);
}

TEST(Cluster, KeepsItsCountsThroughAHundredThousandRandomEvents) {
  const Platform platform = small_platform(6, 4);
  Cluster cluster(platform);
  Ledger ledger{{}, std::vector<bool>(platform.nodes.size(), true)};
  RandomStream random(42);
  for (int event = 0; event < 100000; ++event) {
    const NodeId node(static_cast<int>(random.below(platform.nodes.size())));
    switch (random.below(6)) {
      case 0:
        cluster.node_down(node), ledger.up[node.index()] = false;
        break;
      case 1:
        cluster.node_up(node), ledger.up[node.index()] = true;
        break;
      case 2:
      case 3:
        release_something(cluster, ledger, random);
        break;
      default:
        allocate_something(JobId(event), cluster, ledger, random);
    }
    expect_agreement(cluster, ledger, platform);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace trainyard
