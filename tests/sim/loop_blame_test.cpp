// Whose fault a slow step is: each cause shows up under its own name, with what removing it saves.
// The judge is the counterfactual: the same experiment run again without the cause.
#include "support/experiment_run.hpp"
#include "support/step_means.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace trainyard {

namespace {

struct Causes {
  bool slow_gpu = false, slow_link = false, rival = false;
};

constexpr double kBand = 0.01;  // the promised one
constexpr int kSteps = 2000;    // the mean over so many is known to 0.1 %

// The victim has GPU 0 of both nodes, the rival GPU 1; they share the nodes' only NICs.
std::string yaml(const Causes& causes) {
  std::string text = "platform: " + switch_platform(2, 2, 1) + R"(
plans:
  v: {operations: [{name: c, compute: 1 s}, {name: t, all_reduce: 30 GB, algorithm: ring, after: [c]}]}
  r: {operations: [{name: c, compute: 0.83 s}, {name: t, all_reduce: 23 GB, algorithm: ring, after: [c]}]}
workload:
- jobs:
  - {name: victim, gpus: 2, plan: v, steps: )" +
                     std::to_string(kSteps) + "}\n";
  if (causes.rival) text += "  - {name: rival, gpus: 2, plan: r, steps: 10000}\n";
  text += "scheduler: {policy: fifo, placement: spread}\ntime_compression: off\n";
  std::string slow;
  if (causes.slow_gpu) slow += "gpus: [{gpu: node1/gpu0, factor: 1.07}], ";
  if (causes.slow_link) slow += "links: [{link: node0/nic0/up, factor: 0.5}]";
  return text + "slow: {" + slow + "}\n";
}

using Means = StepMeans;

Means means_of(const Outcome& run) {
  EXPECT_EQ(run.exit_code, 0) << run.error;
  return step_means(run.log, "victim");
}

Means measure(const Causes& causes) { return means_of(run_experiment(yaml(causes))); }

}  // namespace

TEST(Blame, ASlowGpuAloneIsNamedWithWhatANominalOneWouldSave) {
  const double clean = measure({}).step;
  const Means slow = measure({true, false, false});
  const double saved = slow.step - clean;
  EXPECT_NEAR(saved, 0.07, 1e-9);  // 7 % of a second of computing
  EXPECT_NEAR(slow.slow_gpu, saved, kBand * saved);
  EXPECT_EQ(slow.slow_gpu_name, "node1/gpu0");
  EXPECT_EQ(slow.slow_link, 0);
  EXPECT_EQ(slow.contention, 0);
}

TEST(Blame, ASlowLinkAloneIsNamedWithWhatANominalOneWouldSave) {
  const double clean = measure({}).step;
  const Means slow = measure({false, true, false});
  const double saved = slow.step - clean;
  EXPECT_NEAR(saved, 30e9 / 25e9 - 30e9 / 50e9, 1e-9);
  EXPECT_NEAR(slow.slow_link, saved, kBand * saved);
  EXPECT_EQ(slow.slow_link_name, "node0/nic0/up");
  EXPECT_EQ(slow.slow_gpu, 0);
  EXPECT_EQ(slow.contention, 0);
}

TEST(Blame, ARivalAloneIsNamedWithWhatItsAbsenceWouldSave) {
  const double clean = measure({}).step;
  const Means slowed = measure({false, false, true});
  const double saved = slowed.step - clean;
  EXPECT_GT(saved, 0.1);
  EXPECT_NEAR(slowed.contention, saved, kBand * saved);
  EXPECT_EQ(slowed.rivals, "rival 1.000");
  EXPECT_EQ(slowed.slow_gpu, 0);
  EXPECT_EQ(slowed.slow_link, 0);
}

// Nothing couples the slow parts of one job: each what-if is played with the other in place.
TEST(Blame, ASlowGpuAndASlowLinkTogetherAreEachWorthWhatTheirRepairSaves) {
  const Means both = measure({true, true, false});
  const double gpu = both.step - measure({false, true, false}).step;
  const double link = both.step - measure({true, false, false}).step;
  EXPECT_NEAR(both.slow_gpu, gpu, kBand * gpu);
  EXPECT_NEAR(both.slow_link, link, kBand * link);
}

// The costs of slow parts are measured without neighbours. What a slow link costs more because a
// rival shares it counts as contention: so the three add up, and the link is worth at least what it
// says.
TEST(Blame, AllTogetherEachIsNamedAndTheyAddUpToTheWholeSlowDown) {
  const Means all = measure({true, true, true});
  const double gpu = all.step - measure({false, true, true}).step;
  const double link = all.step - measure({true, false, true}).step;
  const double rival = all.step - measure({true, true, false}).step;
  const double clean = measure({}).step;
  EXPECT_EQ(all.slow_gpu_name, "node1/gpu0");
  EXPECT_EQ(all.slow_link_name, "node0/nic0/up");
  EXPECT_EQ(all.rivals, "rival 1.000");
  EXPECT_EQ(all.rival_link, "node0/nic0/up");
  EXPECT_NEAR(all.slow_gpu, gpu, kBand * gpu);
  EXPECT_NEAR(all.contention, rival, kBand * rival);
  EXPECT_LE(all.slow_link, link);
  const double whole = all.step - clean;
  EXPECT_NEAR(all.slow_gpu + all.slow_link + all.contention, whole, kBand * whole);
  std::printf("slow GPU %.4f s (its repair saves %.4f), slow link %.4f (%.4f), rival %.4f (%.4f)\n",
              all.slow_gpu, gpu, all.slow_link, link, all.contention, rival);
}

}  // namespace trainyard
