// The ideal beside every result, and where the gap comes from.
#include "report/metrics.hpp"
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard {

namespace {

constexpr const char* kFabric = TRAINYARD_SOURCE_DIR "/platforms/fat_tree_2to1_x64.xml";

// 256 GPUs at random on a 2:1 fabric, alone or beside another such job.
std::string jobs(const std::string& network, bool with_rival, const std::string& more = "") {
  const std::string rival = ", {name: rival, gpus: 256, plan: p, steps: 60}";
  return std::string("platform: ") + kFabric + "\nnetwork: {" + network +
         "}\nplans:\n  p: {layers: 24, forward: 1 ms, backward: 2 ms, gradient_per_layer: 48 MiB, "
         "layers_per_bucket: 6}\nworkload: [{jobs: [{name: ours, gpus: 256, plan: p, steps: 60}" +
         (with_rival ? rival : "") +
         "]}]\nscheduler: {policy: fifo, placement: random}\ntime_compression: off\nseed: 1\n" +
         more;
}

// Of the last step, when every rank has fallen into step.
IterationRecord last_step(const std::string& yaml) {
  const Outcome outcome = run_experiment(yaml);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return iterations_of(outcome.log, "ours").back();
}

void expect_equal(Seconds a, Seconds b) {
  EXPECT_NEAR(in_seconds(a), in_seconds(b), 1e-9 * in_seconds(b) + 1e-12);
}

TEST(Analytic, ModelTakesTheStepThatFlowReportsAsIdeal) {
  const IterationRecord ideal = last_step(jobs("model: analytic, routing: ecmp", true));
  const IterationRecord flow = last_step(jobs("model: flow, routing: ecmp", true));
  expect_equal(ideal.duration, analytic_step(flow));
  expect_equal(ideal.duration, analytic_step(ideal));
  EXPECT_GT(flow.duration, ideal.duration);
}

TEST(Analytic, GapIsTheFabricsWhenTheJobIsAlone) {
  const IterationRecord alone = last_step(jobs("model: flow, routing: ecmp", false));
  EXPECT_GT(alone.fabric, Seconds(0.01));
  expect_equal(alone.duration, analytic_step(alone) + alone.fabric);
}

TEST(Analytic, GapIsSplitAmongFabricSlowGpuAndRival) {
  const std::string slow =
      "slow: {gpus: [{gpu: node0/gpu0, factor: 1.5}, {gpu: node1/gpu0, "
      "factor: 1.5}, {gpu: node2/gpu0, factor: 1.5}]}\n";
  const IterationRecord step = last_step(jobs("model: flow, routing: ecmp", true, slow));
  const IterationRecord ideal = last_step(jobs("model: analytic, routing: ecmp", true));
  expect_equal(analytic_step(step), ideal.duration);
  EXPECT_GT(step.slow_gpu, Seconds(0));
  EXPECT_GT(step.contention, Seconds(0));
}

}  // namespace

}  // namespace trainyard
