// Predicted contention and the placement that minimises it, by formula.
#include "schedulers/placements/contention.hpp"
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <set>

namespace trainyard {
namespace {

constexpr double kBandwidth = 100;  // bytes/s, of every leaf's one uplink
constexpr double kStep = 4;         // seconds

// A job that crosses leaves puts `bytes` on the uplink of each of its leaves in a step.
JobTraffic crossing(const Platform& platform, const Allocation& allocation, double bytes) {
  std::set<std::int64_t> leaves;
  for (const GpuId gpu : allocation.gpus) leaves.insert(platform.node_of(gpu).leaf.value());
  JobTraffic traffic{seconds(kStep), {}};
  if (leaves.size() > 1)
    for (const std::int64_t leaf : leaves) traffic.links.push_back({LinkId(leaf), bytes});
  return traffic;
}

TEST(Contention, DelaysByTheRivalsShareOfTheBusiestLink) {
  const Capacities capacities = {kBandwidth, kBandwidth};
  const JobTraffic job{seconds(kStep), {{LinkId(0), 200}, {LinkId(1), 300}}};
  const JobTraffic rival{seconds(5), {{LinkId(0), 250}}};
  Busy busy;
  add_busy(rival, capacities, busy);
  EXPECT_DOUBLE_EQ(busy.at(LinkId(0)), 250 / kBandwidth / 5);  // half of the time
  EXPECT_DOUBLE_EQ(in_seconds(predicted_delay(job, busy, capacities)), 200 / kBandwidth * 0.5);
}

TEST(Contention, LosesTheNewcomersTimeAndItsNeighbours) {
  const Capacities capacities = {kBandwidth};
  const JobTraffic job{seconds(4), {{LinkId(0), 200}}};    // busy 2 of 4 s
  const JobTraffic rival{seconds(5), {{LinkId(0), 100}}};  // busy 1 of 5 s
  // The newcomer: 2 s x 1/5 longer than 4 s; a place that takes 3 s would be better by 1 s still.
  // The neighbour: 1 s x 1/2 longer than 5 s.
  const double expected = 8 * ((4 + 2 * 0.2) / 3 - 1) + 16 * (1 * 0.5 / 5);
  EXPECT_DOUBLE_EQ(predicted_loss({8, job, seconds(3)}, {{16, rival}}, capacities), expected);
  EXPECT_DOUBLE_EQ(predicted_loss({8, job, seconds(4)}, {}, capacities), 0);
}

// Four leaves of four GPUs. Job 0 crosses leaves 0 and 1, with one GPU in each; jobs 1 and 2 stay
// under leaves 2 and 3, with two GPUs each. A job of four fits under no leaf.
class FourLeaves : public ::testing::Test {
protected:
  FourLeaves() : world(small_platform(16, 1, 4)) {
    world.run({2}, {0, 4});
    world.run({2}, {8, 9});
    world.run({2}, {12, 13});
    options.capacities.assign(4, kBandwidth);
    options.traffic = [this](const Job& job, const Allocation& allocation) {
      return crossing(world.platform(), allocation, job.plan * 100.0);
    };
  }

  Allocation place(const std::string& name, const Job& job) const {
    const ClusterView view = world.view();
    const Room room{world.platform(), *view.free, *view.free_per_node, running_with_plans(view)};
    for (const PlacementEntry& entry : placements())
      if (name == entry.name) return entry.make(options)->place(job, room);
    throw std::logic_error("no placement " + name);
  }

  // All of them communicate.
  std::vector<RunningJob> running_with_plans(const ClusterView& view) const {
    std::vector<RunningJob> running = view.running;
    jobs.clear();
    for (const RunningJob& one : running) jobs.push_back(*one.job);
    for (std::size_t i = 0; i < running.size(); ++i) {
      jobs[i].plan = 1;
      running[i].job = &jobs[i];
    }
    return running;
  }

  double loss_of(const Job& job, const Allocation& where) const {
    std::vector<Neighbour> neighbours;
    for (const RunningJob& running : running_with_plans(world.view()))
      neighbours.push_back({running.job->gpus, options.traffic(*running.job, *running.allocation)});
    const JobTraffic traffic = options.traffic(job, where);
    return predicted_loss({job.gpus, traffic, seconds(kStep)}, neighbours, options.capacities);
  }

  World world;
  PlacementOptions options;
  mutable std::vector<Job> jobs;
};

TEST_F(FourLeaves, TheNetworkAwarePlacementAvoidsTheUplinkThatAnotherJobFills) {
  Job job = asking(4, 1, 9);
  job.plan = 2;
  const Allocation packed = place("pack_by_leaf", job);
  const Allocation aware = place("network_aware", job);
  EXPECT_EQ(aware.gpus, gpus({10, 11, 14, 15}).gpus);  // what leaves 2 and 3 have left
  // Packed, the job takes leaf 0's three GPUs. There it is busy for 2 s, the rival for 1 s, of 4 s
  // each: 4 GPUs lose 2 x 1/4 of 4 s, 2 GPUs 1 x 1/2 of 4 s.
  EXPECT_DOUBLE_EQ(loss_of(job, packed), 4 * (2 * 0.25 / kStep) + 2 * (1 * 0.5 / kStep));
  EXPECT_DOUBLE_EQ(loss_of(job, aware), 0);
}

TEST_F(FourLeaves, AJobThatCommunicatesWithNobodyIsPacked) {
  const Job job = asking(4, 1, 9);  // without a plan
  EXPECT_EQ(place("network_aware", job).gpus, place("pack_by_leaf", job).gpus);
}

TEST_F(FourLeaves, WhereNothingIsWonTheJobIsPacked) {
  Job job = asking(2, 1, 9);  // fits under a leaf, where it disturbs nobody
  job.plan = 2;
  EXPECT_EQ(place("network_aware", job).gpus, place("pack_by_leaf", job).gpus);
}

}  // namespace
}  // namespace trainyard
