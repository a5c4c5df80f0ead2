// Elastic jobs in the closed loop: what growing and shrinking costs and brings, against formulas.
#include "base/rng.hpp"
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>

namespace trainyard {

namespace {

constexpr double kNic = 50e9;  // bytes/s, of switch_platform()
constexpr double kLatency = 1e-6;
constexpr double kMebibyte = 1 << 20;
constexpr double kExact = 1e-6;

double ring(int ranks, double size) {
  return 2 * (ranks - 1) * kLatency + 2.0 * (ranks - 1) / ranks * size / kNic;
}

double gpu_seconds(const std::string& yaml, const EventLog& log, const std::string& name) {
  return gpu_seconds_of(ledger(experiment_of(yaml).platform, log), name);
}

std::size_t gpus_of(const AttemptRecord& attempt) { return attempt.allocation.gpus.size(); }

}  // namespace

// 4 GPUs beside another's 4; at 100.2 s those come free, and the step it is in ends at 100.8 s.
TEST(Elastic, AJobGrowsAtTheEndOfItsStepAndEndsWhenTheFormulaSays) {
  const std::string yaml = "platform: " + switch_platform(8, 1) + R"(
workload:
  - jobs:
      - {name: b, gpus: 4, run_time: 100.2 s}
      - {name: a, gpus: 4, elastic: {min: 4, max: 8}, run_time: 800 s}
scheduler: {policy: elastic, grow_after: 10 s, latency: 0 s}
resize: 30 s
time_compression: off
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> a = attempts_of(run.log, "a");
  ASSERT_EQ(a.size(), 2U);
  const double step = 800.0 / 1000;  // of 4 GPUs; a job without a plan has a thousand
  const double done = std::ceil(100.2 / step), left = 1000 - done;
  EXPECT_EQ(gpus_of(a[0]), 4U);
  EXPECT_EQ(a[0].end_state, JobState::Resizing);
  EXPECT_EQ(a[0].cause, "resized from 4 to 8 GPUs");
  EXPECT_NEAR(in_seconds(a[0].end), done * step, kExact);
  EXPECT_NEAR(in_seconds(a[0].lost), 0, kExact);
  EXPECT_EQ(gpus_of(a[1]), 8U);
  EXPECT_EQ(a[1].first_step, static_cast<std::int64_t>(done));
  EXPECT_NEAR(in_seconds(a[1].restart), 30, kExact);
  EXPECT_NEAR(in_seconds(a[1].end), done * step + 30 + left * step / 2, kExact);
  EXPECT_EQ(a[1].end_state, JobState::Completed);
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "restart"), 8 * 30, kExact);
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "productive"), 4 * 800 + 4 * 100.2, 1e-3);
}

// The global batch stays: computing takes half as long on twice the GPUs, the gradients' ring does
// not.
TEST(Elastic, TheNewPlacementGivesANewStep) {
  const std::string yaml = "platform: " + switch_platform(8, 1) + R"(
plans: {flat: {layers: 1, forward: 20 ms, backward: 40 ms, optimizer: 5 ms, gradient_per_layer: 100 MiB, all_reduce: ring}}
workload:
  - jobs:
      - {name: b, gpus: 4, run_time: 1000 s}
      - {name: a, gpus: 4, elastic: {min: 2, max: 8}, plan: flat, steps: 100000}
scheduler: {policy: elastic, grow_after: 0 s, latency: 0 s}
resize: 30 s
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> a = attempts_of(run.log, "a");
  ASSERT_EQ(a.size(), 2U);
  const double before = 60e-3 + 5e-3 + ring(4, 100 * kMebibyte);
  const double after = 30e-3 + 5e-3 + ring(8, 100 * kMebibyte);
  const auto done = static_cast<double>(a[0].steps_done);
  const double jumps = 2 * before;  // one that is broken off keeps whole steps
  EXPECT_NEAR(in_seconds(a[0].end), done * before, jumps);
  EXPECT_GE(in_seconds(a[0].end), 1000);
  EXPECT_LE(in_seconds(a[0].end), 1000 + 2 * before);
  EXPECT_NEAR(in_seconds(a[1].end - a[0].end), 30 + (100000 - done) * after, jumps);
  EXPECT_NEAR(in_seconds(a[1].contention), 0, 1e-6);
}

TEST(Elastic, AJobShrinksSoThatOneThatWaitsCanStart) {
  const std::string yaml = "platform: " + switch_platform(8, 1) + R"(
workload:
  - jobs:
      - {name: a, gpus: 8, elastic: {min: 2, max: 8}, run_time: 400 s}
      - {name: b, gpus: 4, run_time: 100 s, submit: 50.1 s}
scheduler: {policy: elastic, grow_after: 1 h, latency: 0 s}
checkpoint: {every: never, write: 3 s}
restart: 20 s
time_compression: off
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> a = attempts_of(run.log, "a");
  ASSERT_EQ(a.size(), 2U);
  const double step = 400.0 / 1000, done = std::ceil(50.1 / step);
  EXPECT_NEAR(in_seconds(a[0].end), done * step + 3, kExact);  // without `resize`: it saves
  EXPECT_EQ(gpus_of(a[1]), 4U);
  EXPECT_NEAR(in_seconds(only_attempt_of(run.log, "b").start), done * step + 3, kExact);
  EXPECT_NEAR(in_seconds(a[1].end), done * step + 3 + 20 + (1000 - done) * 2 * step, kExact);
}

TEST(Elastic, UnderOtherPoliciesAJobHasTheSizeItAsksFor) {
  const std::string yaml = "platform: " + switch_platform(8, 1) + R"(
workload: [{jobs: [{name: a, gpus: 4, elastic: {min: 2, max: 8}, run_time: 400 s}]}]
scheduler: {policy: backfill, latency: 0 s}
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NEAR(in_seconds(only_attempt_of(run.log, "a").end), 400, kExact);
}

TEST(Elastic, TheTimeLimitGoesOnAcrossSizes) {
  const std::string yaml = "platform: " + switch_platform(8, 1) + R"(
workload:
  - jobs:
      - {name: a, gpus: 8, elastic: {min: 2, max: 8}, run_time: 400 s, limit: 300 s}
      - {name: b, gpus: 6, run_time: 1000 s, submit: 50 s}
scheduler: {policy: elastic, latency: 0 s}
resize: 5 s
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> a = attempts_of(run.log, "a");
  ASSERT_EQ(a.size(), 2U);
  EXPECT_EQ(a[1].end_state, JobState::Timeout);
  EXPECT_NEAR(in_seconds(a[1].end), 300, kExact);
}

// A layout keeps tensor x pipeline; sizes that its global batch does not divide over are left out.
TEST(Elastic, OnlyTheReplicasOfALayoutChange) {
  const std::string yaml = "platform: " + switch_platform(8, 4) + R"(
plans:
  small:
    model: {name: toy, layers: 4, hidden: 256, heads: 4, ffn: 1024, vocabulary: 1024, sequence: 128}
    layout: {tensor: 2, pipeline: 2, global_batch: 24}
    gpu: H100
workload: [{jobs: [{name: a, gpus: 8, elastic: {min: 4, max: 32}, plan: small, steps: 10}]}]
scheduler: {policy: elastic}
)";
  EXPECT_EQ(experiment_of(yaml).jobs[0].sizes,
            (std::vector<int>{4, 8, 12, 16, 24, 32}));  // 24 samples over 1 2 3 4 6 8 replicas
}

TEST(Elastic, WhatCannotChangeItsSizeIsRefused) {
  const auto error_of = [](const std::string& job) {
    return run_experiment("platform: " + switch_platform(8, 1) + R"(
plans: {own: {operations: [{name: c, compute: 1 ms}]}}
workload: [{jobs: [)" + job +
                          R"(]}]
)")
        .error;
  };
  EXPECT_THAT(error_of("{name: a, gpus: 4, elastic: {max: 8}, plan: own, steps: 9}"),
              ::testing::HasSubstr("its plan is played as it stands"));
  EXPECT_THAT(error_of("{name: a, gpus: 4, elastic: {max: 9}, run_time: 9 s}"),
              ::testing::HasSubstr("must be at most 8"));
  EXPECT_THAT(error_of("{name: a, gpus: 4, elastic: {}, run_time: 9 s}"),
              ::testing::HasSubstr("no other size than 4 GPUs"));
  EXPECT_THAT(error_of("{name: a, gpus: 4, elastic: {max: 8, step: 3}, run_time: 9 s}"),
              ::testing::HasSubstr("divide the job's 4 GPUs"));
}

// ---- Whatever happens ----

namespace {

// One of the numbers from `least` to `most`.
int pick(RandomStream& random, int least, int most) {
  return least + static_cast<int>(random.uniform() * (most - least + 1));
}

std::string random_yaml(RandomStream& random) {
  std::string yaml = "platform: " + switch_platform(4, 4) + R"(
plans:
  flat: {layers: 2, forward: 200 ms, backward: 400 ms, gradient_per_layer: 50 MiB}
  wide: {layers: 2, forward: 200 ms, backward: 400 ms, gradient_per_layer: 50 MiB, tensor: 2, tensor_message: 8 MiB}
scheduler: {policy: elastic, grow_after: )" +
                     std::to_string(pick(random, 0, 200)) + R"( s}
checkpoint: {every: 60 s, write: 1 s}
restart: 5 s
failures: {node: {mtbf: 2 h, repair: 5 min}}
seed: )" + std::to_string(pick(random, 1, 1000)) +
                     "\nworkload:\n  - jobs:\n";
  const int jobs = 12;
  for (int i = 0; i < jobs; ++i) {
    const int gpus = 2 * pick(random, 1, 4);
    const char* plans[] = {"none", "flat", "wide"};
    const std::string plan = plans[pick(random, 0, 2)];
    yaml += "      - {name: j" + std::to_string(i) + ", gpus: " + std::to_string(gpus) +
            ", plan: " + plan + ", run_time: " + std::to_string(pick(random, 20, 900)) +
            " s, submit: " + std::to_string(pick(random, 0, 900)) + " s";
    if (pick(random, 0, 3) > 0)
      yaml += ", elastic: {min: 2, max: " + std::to_string(2 * pick(random, gpus / 2 + 1, 8)) + "}";
    yaml += "}\n";
  }
  return yaml;
}

void expect_no_gpu_held_twice(const EventLog& log) {
  std::map<GpuId, std::vector<std::pair<double, double>>> held;
  for (const AttemptRecord& attempt : log.attempts)
    for (const GpuId gpu : attempt.allocation.gpus)
      held[gpu].emplace_back(in_seconds(attempt.start), in_seconds(attempt.end));
  for (auto& [gpu, spans] : held) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i)
      EXPECT_GE(spans[i].first, spans[i - 1].second - 1e-9) << "GPU " << gpu.value();
  }
}

// Steps are of one global batch each: what attempts of any size did adds up to the job's steps.
void expect_samples_are_conserved(const EventLog& log, const Job& job) {
  std::int64_t saved = 0;
  const std::vector<AttemptRecord> attempts = attempts_of(log, job.name);
  for (const AttemptRecord& attempt : attempts) {
    EXPECT_EQ(attempt.first_step, saved) << job.name;
    saved = attempt.steps_saved;
    if (attempt.end_state == JobState::Resizing) {
      EXPECT_EQ(attempt.steps_saved, attempt.steps_done) << job.name;
      EXPECT_NEAR(in_seconds(attempt.lost), 0, 1e-6) << job.name;
    }
    const int gpus = static_cast<int>(gpus_of(attempt));
    EXPECT_TRUE(gpus == job.gpus || std::binary_search(job.sizes.begin(), job.sizes.end(), gpus));
  }
  ASSERT_FALSE(attempts.empty());
  EXPECT_EQ(attempts.back().end_state, JobState::Completed) << job.name;
}

}  // namespace

TEST(Elastic, NoGpuIsHeldTwiceAndNoSampleIsLostWhateverFails) {
  RandomStream random = RandomSource(5).stream("elastic monkey");
  std::vector<std::string> yamls;
  yamls.reserve(40);
  while (yamls.size() < 40) yamls.push_back(random_yaml(random));
  std::int64_t resizes = 0;
  for (const Outcome& run : run_experiments(yamls)) {
    ASSERT_EQ(run.exit_code, 0) << run.error;
    expect_no_gpu_held_twice(run.log);
    for (const Job& job : run.log.jobs) expect_samples_are_conserved(run.log, job);
    for (const AttemptRecord& attempt : run.log.attempts)
      resizes += attempt.end_state == JobState::Resizing ? 1 : 0;
  }
  EXPECT_GT(resizes, 100);
}

}  // namespace trainyard
