// Whose fault a slow step of a pipelined job is. The judge is the counterfactual: the same
// experiment run again without the cause.
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

// Two stages of two data ranks, a GPU 0 of each node (the second stage, with the vocabulary, sets
// the pace); the rival has the GPUs 1. They share the nodes' only NICs.
std::string yaml(const Causes& causes) {
  std::string text = "platform: " + switch_platform(4, 2, 1) + R"(
plans:
  v:
    model: {layers: 8, hidden: 2048, heads: 16, vocabulary: 32768, sequence: 1024}
    gpu: H100
    layout: {pipeline: 2, micro_batch: 1, global_batch: 64, zero: 1}
  r: {operations: [{name: c, compute: 83 ms}, {name: t, all_reduce: 700 MB, algorithm: ring, after: [c]}]}
workload:
- jobs:
  - {name: victim, gpus: 4, plan: v, steps: 400}
)";
  if (causes.rival) text += "  - {name: rival, gpus: 4, plan: r, steps: 4000}\n";
  text += "scheduler: {policy: fifo, placement: spread}\ntime_compression: off\n";
  std::string slow;
  if (causes.slow_gpu) slow += "gpus: [{gpu: node3/gpu0, factor: 1.07}], ";
  if (causes.slow_link) slow += "links: [{link: node0/nic0/up, factor: 0.5}]";
  return text + "slow: {" + slow + "}\n";
}

// Of the victim; and the ideal step again, as the sum of its waterfall.
struct Means : StepMeans {
  double spent_in_ideal = 0;
};

Means means_of(const Outcome& run) {
  EXPECT_EQ(run.exit_code, 0) << run.error;
  Means means{step_means(run.log, "victim")};
  for (const auto& [name, seconds] : run.log.steps.at(0).ideal) means.spent_in_ideal += seconds;
  return means;
}

Means measure(const Causes& causes) { return means_of(run_experiment(yaml(causes))); }

}  // namespace

TEST(PipelineBlame, NamesASlowGpuWithWhatANominalOneWouldSave) {
  const double clean = measure({}).step;
  const Means slow = measure({true, false, false});
  const double saved = slow.step - clean;
  EXPECT_GT(saved, 0.01 * clean);
  EXPECT_NEAR(slow.slow_gpu, saved, kBand * saved);
  EXPECT_EQ(slow.slow_gpu_name, "node3/gpu0");
  EXPECT_EQ(slow.slow_link, 0);
  EXPECT_EQ(slow.contention, 0);
}

TEST(PipelineBlame, NamesASlowLinkWithWhatANominalOneWouldSave) {
  const double clean = measure({}).step;
  const Means slow = measure({false, true, false});
  const double saved = slow.step - clean;
  EXPECT_GT(saved, 0.01 * clean);
  EXPECT_NEAR(slow.slow_link, saved, kBand * saved);
  EXPECT_EQ(slow.slow_link_name, "node0/nic0/up");
  EXPECT_EQ(slow.slow_gpu, 0);
  EXPECT_EQ(slow.contention, 0);
}

TEST(PipelineBlame, NamesARivalWithWhatItsAbsenceWouldSave) {
  const double clean = measure({}).step;
  const Means slowed = measure({false, false, true});
  const double saved = slowed.step - clean;
  EXPECT_GT(saved, 0.01 * clean);
  EXPECT_NEAR(slowed.contention, saved, kBand * saved);
  EXPECT_EQ(slowed.rivals, "rival 1.000");
  EXPECT_EQ(slowed.slow_gpu, 0);
  EXPECT_EQ(slowed.slow_link, 0);
}

// The rival is worth exactly what its absence saves; slow parts are measured without neighbours,
// and what they cost more or less beside the rival is the rival's. All add up to the step.
TEST(PipelineBlame, NamesAllOfThemTogetherAndTheyAddUp) {
  const Means all = measure({true, true, true});
  const Means quiet = measure({true, true, false});
  EXPECT_EQ(all.slow_gpu_name, "node3/gpu0");
  EXPECT_EQ(all.slow_link_name, "node0/nic0/up");
  EXPECT_EQ(all.rivals, "rival 1.000");
  const double rival = all.step - quiet.step;
  EXPECT_NEAR(all.contention, rival, kBand * rival);
  const double gpu = quiet.step - measure({false, true, false}).step;
  const double link = quiet.step - measure({true, false, false}).step;
  EXPECT_NEAR(all.slow_gpu, gpu, kBand * gpu);
  EXPECT_NEAR(all.slow_link, link, kBand * link);
  EXPECT_NEAR(all.ideal + all.fabric + all.slow_gpu + all.slow_link + all.contention, all.step,
              1e-3 * all.step);
  EXPECT_NEAR(all.spent_in_ideal, all.ideal, 1e-6 * all.ideal);
}

TEST(PipelineBlame, LeavesTheIdealWhenEveryCauseIsRemoved) {
  const Means clean = measure({});
  EXPECT_NEAR(clean.step, clean.ideal + clean.fabric, 1e-9 * clean.step);
  // One switch: nothing is oversubscribed, but the stages' transfers and the data ranks' meet on
  // NICs.
  EXPECT_NEAR(clean.fabric, 0, 0.01 * clean.step);
  EXPECT_NEAR(clean.spent_in_ideal, clean.ideal, 1e-6 * clean.ideal);
}

}  // namespace trainyard
