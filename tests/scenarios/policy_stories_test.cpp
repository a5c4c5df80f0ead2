// Small stories about policies, limits and failures, with the times that follow by hand. A decision
// comes 1 ms after the news that calls for it.
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <unistd.h>

namespace trainyard {

namespace {

constexpr double kDecision = 1e-3;
constexpr double kRounding = 1e-6;

EventLog story(const std::string& text) {
  Outcome run = run_experiment("platform: " + switch_platform(1, 8) + "\n" + text);
  EXPECT_EQ(run.exit_code, 0) << run.error;
  return std::move(run.log);
}

struct Span {
  double start, end;
};

void expect_span(const AttemptRecord& attempt, const Span& expected) {
  EXPECT_NEAR(in_seconds(attempt.start), expected.start, kRounding);
  EXPECT_NEAR(in_seconds(attempt.end), expected.end, kRounding);
}

void expect_job(const EventLog& log, const std::string& job, const Span& expected) {
  SCOPED_TRACE(job);
  expect_span(only_attempt_of(log, job), expected);
}

// 8 GPUs. `wide` must wait for `first`; `short` fits beside `first` and ends before it; `long` does
// not.
const char* const kQueue = R"(
workload:
- jobs:
  - {name: first, gpus: 6, run_time: 100 s, limit: 105 s}
  - {name: wide, gpus: 8, run_time: 50 s, limit: 55 s, submit: 10 s}
  - {name: long, gpus: 2, run_time: 200 s, limit: 205 s, submit: 20 s}
  - {name: short, gpus: 2, run_time: 60 s, limit: 65 s, submit: 30 s}
)";

}  // namespace

TEST(Fifo, LetsNobodyOvertakeTheHeadOfTheQueue) {
  const EventLog log = story(std::string(kQueue) + "scheduler: {policy: fifo}\n");
  const double wide = 100 + 2 * kDecision, rest = wide + 50 + kDecision;
  expect_job(log, "first", {kDecision, 100 + kDecision});
  expect_job(log, "wide", {wide, wide + 50});
  expect_job(log, "long", {rest, rest + 200});
  expect_job(log, "short", {rest, rest + 60});
}

TEST(Backfill, LetsAJobOvertakeThatEndsBeforeTheHeadCanStart) {
  const EventLog log = story(std::string(kQueue) + "scheduler: {policy: backfill}\n");
  const double wide = 100 + 2 * kDecision, rest = wide + 50 + kDecision;
  expect_job(log, "first", {kDecision, 100 + kDecision});
  expect_job(log, "short", {30 + kDecision, 90 + kDecision});
  expect_job(log, "wide", {wide, wide + 50});  // not delayed
  expect_job(log, "long", {rest, rest + 200});
}

// `urgent` takes the GPUs of `low`, which starts again from its last checkpoint.
TEST(PriorityPreemption, RequeuesTheLowerJobWhichLosesWhatItHadNotSaved) {
  const EventLog log = story(R"(
plans: {p: {layers: 1, forward: 1 s, backward: 1 s, gradient_per_layer: 1 MiB}}
workload:
- jobs:
  - {name: low, gpus: 1, plan: p, steps: 40}
  - {name: urgent, gpus: 8, run_time: 30 s, priority: 1, submit: 50.5 s}
scheduler: {policy: priority_preemption}
checkpoint: {every: 10 steps, write: 1 s}
restart: 5 s
)");
  const double preempted = 50.5 + kDecision, resumed = preempted + 30 + kDecision;
  const auto low = attempts_of(log, "low");
  ASSERT_EQ(low.size(), 2U);
  expect_span(low[0], {kDecision, preempted});
  EXPECT_EQ(low[0].end_state, JobState::Preempted);
  EXPECT_EQ(low[0].cause, "preempted for urgent");
  EXPECT_EQ(low[0].steps_saved, 20);  // 42 s with two writes; 24 steps done
  EXPECT_EQ(low[0].steps_done, 24);
  EXPECT_NEAR(in_seconds(low[0].lost), 50.5 - 42, kRounding);
  expect_job(log, "urgent", {preempted, preempted + 30});
  expect_span(low[1], {resumed, resumed + 5 + 20 * 2 + 1});
}

// The same, but the lower job may finish its step and save it first. (A jump that is interrupted in
// the middle of a step would start that step anew.)
TEST(PriorityPreemption, WithACheckpointLosesNothing) {
  const EventLog log = story(R"(
plans: {p: {layers: 1, forward: 1 s, backward: 1 s, gradient_per_layer: 1 MiB}}
workload:
- jobs:
  - {name: low, gpus: 1, plan: p, steps: 40}
  - {name: urgent, gpus: 8, run_time: 30 s, priority: 1, submit: 50.5 s}
scheduler: {policy: priority_preemption, grace: 20 s}
checkpoint: {every: 10 steps, write: 1 s, on_preemption: yes}
time_compression: off
restart: 5 s
)");
  const double saved = kDecision + 25 * 2 + 3;  // step 25 ends and is written
  const double urgent = saved + kDecision, resumed = urgent + 30 + kDecision;
  const auto low = attempts_of(log, "low");
  ASSERT_EQ(low.size(), 2U);
  expect_span(low[0], {kDecision, saved});
  EXPECT_EQ(low[0].steps_saved, 25);
  EXPECT_NEAR(in_seconds(low[0].lost), 0, kRounding);
  expect_job(log, "urgent", {urgent, urgent + 30});
  expect_span(low[1], {resumed, resumed + 5 + 15 * 2 + 1});
}

TEST(PriorityPreemption, KillsAVictimWhoseGraceTimeIsOver) {
  const EventLog log = story(R"(
plans: {p: {layers: 1, forward: 100 s, backward: 100 s, gradient_per_layer: 1 MiB}}
workload:
- jobs:
  - {name: low, gpus: 1, plan: p, steps: 3}
  - {name: urgent, gpus: 8, run_time: 30 s, priority: 1, submit: 50 s}
scheduler: {policy: priority_preemption, grace: 20 s}
checkpoint: {every: 1 steps, write: 1 s, on_preemption: yes}
)");
  const double killed = 50 + kDecision + 20;
  const auto low = attempts_of(log, "low");
  ASSERT_EQ(low.size(), 2U);
  expect_span(low[0], {kDecision, killed});
  EXPECT_EQ(low[0].cause, "preempted for urgent; grace time over");
  EXPECT_NEAR(in_seconds(low[0].lost), killed - kDecision, kRounding);
  expect_job(log, "urgent", {killed, killed + 30});
}

TEST(Limits, KillAJobAtItsLimit) {
  const EventLog log = story(R"(
workload: [{jobs: [{name: a, gpus: 1, run_time: 100 s, limit: 60 s}]}]
)");
  expect_job(log, "a", {kDecision, 60 + kDecision});
  EXPECT_EQ(only_attempt_of(log, "a").end_state, JobState::Timeout);
  EXPECT_EQ(only_attempt_of(log, "a").cause, "time limit");
}

TEST(Limits, DoNotKillAJobThatEndsAtThatVeryMoment) {
  const EventLog log = story(R"(
workload: [{jobs: [{name: a, gpus: 1, run_time: 100 s, limit: 100 s}]}]
)");
  expect_job(log, "a", {kDecision, 100 + kDecision});
  EXPECT_EQ(only_attempt_of(log, "a").end_state, JobState::Completed);
}

// A limit counts from the start of each attempt.
TEST(Limits, StartAnewAfterARequeue) {
  const EventLog log = story(R"(
workload: [{jobs: [{name: a, gpus: 1, run_time: 100 s, limit: 110 s}]}]
failures: {list: [{node: node0, at: 50 s, repair: 10 s}]}
)");
  const auto attempts = attempts_of(log, "a");
  ASSERT_EQ(attempts.size(), 2U);
  expect_span(attempts[1], {60 + kDecision, 160 + kDecision});
  EXPECT_EQ(attempts[1].end_state, JobState::Completed);
}

// ---- Traces ----

namespace {

// One job of one GPU that ran for `recorded` seconds of the `requested` ones.
std::string trace(int recorded, int requested) {
  const std::string file = testing::TempDir() + "one_job_" + std::to_string(getpid()) + "_" +
                           std::to_string(recorded) + ".swf";
  std::ofstream(file) << "1 0 0 " << recorded << " 1 -1 -1 1 " << requested
                      << " -1 1 1 1 1 1 1 -1 -1\n";
  return file;
}

const char* const kSlowFirstGpu = "slow: {gpus: [{gpu: node0/gpu0, factor: 1.2}]}\n";

}  // namespace

TEST(Traces, JobsAreKilledTenPercentAfterTheLargerOfRequestedAndRecordedTime) {
  for (const auto& [recorded, requested] : {std::pair{100, 60}, std::pair{100, 107}}) {
    const EventLog log =
        story("workload: [{trace: {format: swf, file: " + trace(recorded, requested) + "}}]\n" +
              kSlowFirstGpu);
    const double kill = 1.1 * std::max(recorded, requested);  // the slow GPU would need 120 s
    expect_job(log, "1", {kDecision, kDecision + kill});
    EXPECT_EQ(only_attempt_of(log, "1").end_state, JobState::Timeout);
  }
}

// A step takes 2 s on a nominal GPU and 2.4 s on the one the job gets.
TEST(Traces, ARecordedTimeIsTheIdleClustersOrThePlacementsOwn) {
  const std::string text = R"(
plans: {p: {layers: 1, forward: 1 s, backward: 1 s, gradient_per_layer: 1 MiB}}
workload: [{trace: {format: swf, file: )" +
                           trace(100, 1000) + R"(, plans: [{plan: p}]}}]
)" + kSlowFirstGpu;
  const EventLog isolated = story(text + "trace_runtime: isolated\n");
  expect_job(isolated, "1", {kDecision, kDecision + 100 / 2.0 * 2.4});
  const EventLog recorded = story(text + "trace_runtime: as_recorded\n");
  expect_job(recorded, "1", {kDecision, kDecision + std::round(100 / 2.4) * 2.4});
}

// ---- A world that is stuck ----

// Each node of 6 holds one tensor group of 4; three groups are wanted.
TEST(Stuck, AJobThatCanNeverBePlacedIsAnErrorThatNamesIt) {
  const Outcome run = run_experiment("platform: " + switch_platform(2, 6) + R"(
plans: {p: {layers: 1, forward: 1 s, backward: 1 s, tensor: 4, tensor_message: 1 MiB, gradient_per_layer: 1 MiB}}
workload:
- jobs:
  - {name: before, gpus: 2, run_time: 10 s}
  - {name: awkward, gpus: 12, plan: p, steps: 3, submit: 1 s}
)");
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_NE(run.error.find("t=10.002"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("awkward, 12 GPUs; 12 free"), std::string::npos) << run.error;
}

TEST(Stuck, IsNotWhatWaitsForARepair) {
  const EventLog log = story(R"(
workload: [{jobs: [{name: a, gpus: 8, run_time: 10 s, submit: 5 s}]}]
failures: {list: [{node: node0, at: 1 s, repair: 300 d}]}
)");
  const double repaired = 1 + 300 * 86400.0 + kDecision;
  expect_job(log, "a", {repaired, repaired + 10});
}

}  // namespace trainyard
