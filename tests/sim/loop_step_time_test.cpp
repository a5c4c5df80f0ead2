// The trainer's arithmetic: what a step, a checkpoint, a restart and a slow GPU cost, against
// formulas. 1e-9 relative is the project's bound for equal results: clocks are exact to 1e-13 s.
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {

namespace {

constexpr double kExact = 1e-9;
constexpr double kNic = 50e9;      // bytes/s, of switch_platform()
constexpr double kNvlink = 400e9;  // bytes/s
constexpr double kLatency = 1e-6;  // GPU to GPU, over the switch or over NVLink
constexpr double kMebibyte = 1 << 20;

// Ring: 2(p-1) rounds of latency, and 2(p-1)/p of the buffer over every edge.
double ring(int ranks, double size, double bandwidth) {
  return 2 * (ranks - 1) * kLatency + 2.0 * (ranks - 1) / ranks * size / bandwidth;
}

double wall_of(const EventLog& log, const std::string& job) {
  const AttemptRecord attempt = only_attempt_of(log, job);
  EXPECT_EQ(attempt.end_state, JobState::Completed);
  return in_seconds(attempt.end - attempt.start);
}

void expect_equal(double actual, double expected) {
  EXPECT_NEAR(actual, expected, kExact * expected);
}

std::string yaml(const std::string& platform, const std::string& rest) {
  return "platform: " + platform + "\n" + rest;
}

double layers_of_256_ranks(const std::string& fold) {
  const Outcome run = run_experiment(yaml(switch_platform(256, 1), R"(
plans:
  deep: {layers: 24, forward: 2 ms, backward: 4 ms, gradient_per_layer: 100 MiB, all_reduce: ring}
workload: [{jobs: [{name: a, gpus: 256, plan: deep, steps: 10}]}]
time_compression: off
fold: )" + fold));
  EXPECT_EQ(run.exit_code, 0) << run.error;
  return wall_of(run.log, "a");
}

}  // namespace

TEST(StepTime, IsTheForwardPassOneBackwardLayerAndAllReducesOneAtATime) {
  const double all_reduce = ring(256, 100 * kMebibyte, kNic);
  ASSERT_GT(all_reduce, 4e-3);  // or the backward pass, not the network, would set the pace
  EXPECT_NEAR(all_reduce, 4.688e-3, 0.5e-6);
  const double expected = 10 * (24 * 2e-3 + 4e-3 + 24 * all_reduce);
  expect_equal(layers_of_256_ranks("off"), expected);
  expect_equal(layers_of_256_ranks("on"), expected);
}

TEST(StepTime, HidesAllReducesThatAreFasterThanTheBackwardPassButTheLast) {
  const double all_reduce = ring(8, 10 * kMebibyte, kNic);
  ASSERT_LT(all_reduce, 4e-3);
  const Outcome run = run_experiment(yaml(switch_platform(8, 1), R"(
plans:
  deep: {layers: 24, forward: 2 ms, backward: 4 ms, gradient_per_layer: 10 MiB, all_reduce: ring, optimizer: 3 ms}
workload: [{jobs: [{name: a, gpus: 8, plan: deep, steps: 50}]}]
)"));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  expect_equal(wall_of(run.log, "a"), 50 * (24 * 6e-3 + all_reduce + 3e-3));
}

TEST(StepTime, PaysATensorAllReduceAfterEveryBlockOfALayer) {
  const double tensor = ring(4, 64 * kMebibyte, kNvlink);
  const Outcome run = run_experiment(yaml(switch_platform(1, 4), R"(
plans:
  wide: {layers: 6, forward: 2 ms, backward: 4 ms, tensor: 4, tensor_message: 64 MiB, gradient_per_layer: 1 MiB}
workload: [{jobs: [{name: a, gpus: 4, plan: wide, steps: 7}]}]
)"));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  expect_equal(wall_of(run.log, "a"), 7 * 6 * (2e-3 + 4e-3 + 4 * tensor));
}

TEST(StepTime, ReducesTheGradientsOfEveryTensorIndexOverItsOwnNic) {
  const double tensor = ring(4, 64 * kMebibyte, kNvlink), data = ring(2, 500 * kMebibyte, kNic);
  const int layers = 6;
  double computed = layers * (2e-3 + 2 * tensor), reduced = 0;
  for (int layer = 0; layer < layers; ++layer) {
    computed += 4e-3 + tensor;  // the last block's own tensor all-reduce is not waited for
    reduced = std::max(reduced, computed) + data;
    computed += tensor;
  }
  ASSERT_GT(reduced, computed);
  const Outcome run = run_experiment(yaml(switch_platform(2, 4), R"(
plans:
  wide: {layers: 6, forward: 2 ms, backward: 4 ms, tensor: 4, tensor_message: 64 MiB, gradient_per_layer: 500 MiB, all_reduce: ring}
workload: [{jobs: [{name: a, gpus: 8, plan: wide, steps: 7}]}]
)"));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  expect_equal(wall_of(run.log, "a"), 7 * reduced);
}

TEST(StepTime, WaitsForTheSlowestGpu) {
  const double all_reduce = ring(8, 100 * kMebibyte, kNic), slow = 1.07;
  ASSERT_LT(all_reduce, 4e-3 * slow);
  const Outcome run = run_experiment(yaml(switch_platform(8, 1), R"(
plans:
  deep: {layers: 24, forward: 2 ms, backward: 4 ms, gradient_per_layer: 100 MiB, all_reduce: ring}
workload: [{jobs: [{name: a, gpus: 8, plan: deep, steps: 50}]}]
slow: {gpus: [{gpu: node3/gpu0, factor: 1.07}]}
)"));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  expect_equal(wall_of(run.log, "a"), 50 * (24 * 6e-3 * slow + all_reduce));
}

class Checkpoints : public testing::TestWithParam<const char*> {};

// A step of 2 s, 1000 of them.
Outcome train_with(const std::string& checkpoint, const std::string& compression) {
  return run_experiment(yaml(switch_platform(2, 1), R"(
plans: {p: {layers: 1, forward: 1 s, backward: 1 s, gradient_per_layer: 1 MiB}}
workload: [{jobs: [{name: a, gpus: 1, plan: p, steps: 1000}]}]
checkpoint: )" + checkpoint + "\ntime_compression: " + compression));
}

TEST_P(Checkpoints, EverySoManyStepsCostTheirWrites) {
  const Outcome run = train_with("{every: 7 steps, write: 5 s}", GetParam());
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const int writes = (1000 - 1) / 7;  // none after the last step
  expect_equal(wall_of(run.log, "a"), 1000 * 2.0 + writes * 5.0);
  expect_equal(in_seconds(only_attempt_of(run.log, "a").checkpoint), writes * 5.0);
}

TEST_P(Checkpoints, EverySoLongFollowTheFirstStepThatEndsLater) {
  const Outcome run = train_with("{every: 61 s, write: 5 s}", GetParam());
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const int steps_between = 31;  // 62 s is the first multiple of 2 s from 61 s on
  const int writes = (1000 - 1) / steps_between;
  expect_equal(wall_of(run.log, "a"), 1000 * 2.0 + writes * 5.0);
}

TEST_P(Checkpoints, AfterEveryStepCanBeHadToo) {
  const Outcome run = train_with("{every: 1 steps, write: 500 ms}", GetParam());
  ASSERT_EQ(run.exit_code, 0) << run.error;
  expect_equal(wall_of(run.log, "a"), 1000 * 2.0 + 999 * 0.5);
}

INSTANTIATE_TEST_SUITE_P(TimeCompression, Checkpoints, testing::Values("off", "on"),
                         [](const auto& of) { return std::string(of.param); });

TEST(StepTime, OfAJobThatOnlyComputesIsChoppedForCheckpointsByTime) {
  const Outcome run = run_experiment(yaml(switch_platform(1, 1), R"(
workload: [{jobs: [{name: a, gpus: 1, run_time: 100 min}]}]
checkpoint: {every: 30 min, write: 1 min}
)"));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const double writes = 3;  // the interval is met to a sixteenth: after 30.. 31.9 min, three times
  expect_equal(wall_of(run.log, "a"), (100 + writes) * 60);
}

// Fails after 10 steps and a half; steps 8 and before are saved. Repaired, it pays the restart
// once.
TEST(Restart, IsPaidBeforeTheFirstStepOfTheNextAttempt) {
  const Outcome run = run_experiment(yaml(switch_platform(1, 1), R"(
plans: {p: {layers: 1, forward: 1 s, backward: 1 s, gradient_per_layer: 1 MiB}}
workload: [{jobs: [{name: a, gpus: 1, plan: p, steps: 20}]}]
checkpoint: {every: 4 steps, write: 0.5 s}
restart: 30 s
failures: {list: [{node: node0, at: 22 s, repair: 100 s}]}
)"));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> attempts = attempts_of(run.log, "a");
  ASSERT_EQ(attempts.size(), 2U);
  const double decision = 1e-3;  // the scheduler's latency: after the submission, after the failure
  EXPECT_EQ(attempts[0].end_state, JobState::NodeFail);
  EXPECT_EQ(attempts[0].steps_saved, 8);
  EXPECT_EQ(attempts[0].steps_done, 10);
  const double saved_at = 8 * 2 + 2 * 0.5;
  expect_equal(in_seconds(attempts[0].end), 22 + decision);
  expect_equal(in_seconds(attempts[0].lost), 22 + decision - (decision + saved_at));
  expect_equal(in_seconds(attempts[0].work), 8 * 2);
  expect_equal(in_seconds(attempts[1].start), 122 + decision);
  expect_equal(in_seconds(attempts[1].restart), 30);
  const int writes = 2;  // after steps 12 and 16
  expect_equal(in_seconds(attempts[1].end - attempts[1].start), 30 + 12 * 2 + writes * 0.5);
}

}  // namespace trainyard
