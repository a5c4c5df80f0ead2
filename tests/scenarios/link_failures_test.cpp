// Stories of links that fail under a job: what it waits, what it loses, and what the books say.
#include "report/metrics.hpp"
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

namespace trainyard {

namespace {

constexpr double kTimeout = 4.096e-6 * (1 << 20);  // of the transport, in seconds
constexpr double kTries = 7;

// A job of two GPUs on two nodes, one NIC of 50 GB/s each: a second of compute, a second on the
// wire.
std::string one_job(const std::string& more) {
  return "platform: " + switch_platform(2, 1) +
         "\nplans:\n  p: {operations: [{name: c, compute: 1 s}, {name: t, all_reduce: 50 GB, "
         "algorithm: ring, after: [c]}]}\nworkload: [{jobs: [{name: j, gpus: 2, plan: p, steps: "
         "1000}]}]\nscheduler: {policy: fifo, placement: first_fit}\ntime_compression: off\n" +
         more;
}

Outcome played(const std::string& yaml) {
  Outcome outcome = run_experiment(yaml);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return outcome;
}

double length(const AttemptRecord& attempt) { return in_seconds(attempt.end - attempt.start); }

double ledger_of(const Outcome& outcome, const std::string& yaml, const std::string& name) {
  return gpu_seconds_of(ledger(experiment_of(yaml).platform, outcome.log), name);
}

TEST(LinkFailures, WithinTheRetryBudgetCostTheWaitAndNothingElse) {
  const double whole = length(only_attempt_of(played(one_job("")).log, "j"));
  // In the middle of a transfer; back after two and a half time-outs: the third finds it.
  const std::string yaml =
      one_job("failures: {list: [{cable: node0/nic0, at: 101.5 s, repair: 11 s}]}\n");
  const Outcome failed = played(yaml);
  const AttemptRecord attempt = only_attempt_of(failed.log, "j");
  EXPECT_EQ(attempt.end_state, JobState::Completed);
  EXPECT_NEAR(length(attempt), whole + 3 * kTimeout, 1e-6);
  EXPECT_NEAR(in_seconds(attempt.failed_link), 3 * kTimeout, 1e-6);
  EXPECT_NEAR(in_seconds(attempt.contention), 0, 1e-6);
  EXPECT_NEAR(ledger_of(failed, yaml, "failed_link"), 2 * 3 * kTimeout, 1e-5);
}

TEST(LinkFailures, BeyondTheRetryBudgetEndTheAttemptAndTheJobResumes) {
  const std::string yaml = one_job(
      "checkpoint: {every: 10 steps, write: 1 s}\n"
      "failures: {list: [{cable: node0/nic0, at: 101.5 s, repair: 45 s}]}\n");
  const Outcome outcome = played(yaml);
  const std::vector<AttemptRecord> attempts = attempts_of(outcome.log, "j");
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_EQ(attempts[0].end_state, JobState::Failed);
  EXPECT_EQ(attempts[0].cause,
            "node0/nic0/up was down for longer than the transport tries: communicator aborted");
  // The scheduler reacts a millisecond later.
  EXPECT_NEAR(in_seconds(attempts[0].end), 101.5 + kTries * kTimeout + 1e-3, 1e-6);
  EXPECT_EQ(attempts[0].steps_saved % 10, 0);
  EXPECT_GT(attempts[0].steps_saved, 0);
  EXPECT_EQ(attempts[1].first_step, attempts[0].steps_saved);
  EXPECT_EQ(attempts[1].end_state, JobState::Completed);
}

// Three nodes, and a job that needs two of them: the one whose only cable is down is given to
// nobody until the cable is back, so the job restarts on the other two at once.
TEST(LinkFailures, OfANodesOnlyCableDrainTheNodeAndTheJobRestartsElsewhere) {
  std::string yaml = one_job(
      "checkpoint: {every: 10 steps, write: 1 s}\n"
      "failures: {list: [{cable: node0/nic0, at: 101.5 s, repair: 600 s}]}\n");
  const std::string two = switch_platform(2, 1);
  yaml.replace(yaml.find(two), two.size(), switch_platform(3, 1));
  const Outcome outcome = played(yaml);
  const std::vector<AttemptRecord> attempts = attempts_of(outcome.log, "j");
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_EQ(attempts[0].end_state, JobState::Failed);
  EXPECT_EQ(attempts[0].allocation.gpus, (std::vector<GpuId>{GpuId(0), GpuId(1)}));
  EXPECT_EQ(attempts[1].allocation.gpus, (std::vector<GpuId>{GpuId(1), GpuId(2)}));
  EXPECT_NEAR(in_seconds(attempts[1].start), in_seconds(attempts[0].end), 1e-6);
  EXPECT_EQ(attempts[1].end_state, JobState::Completed);
  // Drained from the abort to the cable's return: the books call it down.
  const double drained = 101.5 + 600 - in_seconds(attempts[0].end);
  ASSERT_EQ(outcome.log.outages.size(), 1U);
  EXPECT_NEAR(in_seconds(outcome.log.outages[0].up - outcome.log.outages[0].down), drained, 0.01);
}

TEST(LinkFailures, OfABandwidthIsASlowLinkWhileItLasts) {
  const double whole = length(only_attempt_of(played(one_job("")).log, "j"));
  // Half the bandwidth for 300 s: steps of 3 s instead of 2 s, 100 of them.
  const std::string yaml =
      one_job("failures: {list: [{cable: node0/nic0, at: 400 s, repair: 300 s, factor: 0.5}]}\n");
  const AttemptRecord attempt = only_attempt_of(played(yaml).log, "j");
  EXPECT_NEAR(length(attempt), whole + 100, 1);
  EXPECT_NEAR(in_seconds(attempt.slow_link), 100, 1);
  EXPECT_NEAR(in_seconds(attempt.failed_link), 0, 1e-9);
}

// Two nodes of four GPUs below a leaf each, four spines: without one of them, two of the four flows
// that go to each node share a cable.
std::string crossing_job(const std::string& more) {
  return "platform: " TRAINYARD_SOURCE_DIR
         "/platforms/tiny_2x4.xml\nplans:\n  p: {operations: [{name: c, compute: 1 s}, {name: t, "
         "all_to_all: 100 GB, after: [c]}]}\nworkload: [{jobs: [{name: j, gpus: 8, plan: p, steps: "
         "20000}]}]\nscheduler: {policy: fifo, placement: first_fit}\n" +
         more;
}

TEST(LinkFailures, OfASwitchAreRoutedAroundAndCostTheDetour) {
  const AttemptRecord whole = only_attempt_of(played(crossing_job("")).log, "j");
  const std::string yaml =
      crossing_job("failures: {list: [{switch: spine1, at: 1 h, repair: 2 h}]}\n");
  const Outcome outcome = played(yaml);
  const AttemptRecord attempt = only_attempt_of(outcome.log, "j");
  EXPECT_EQ(attempt.end_state, JobState::Completed);
  const double cost = length(attempt) - length(whole);
  EXPECT_GT(cost, kTimeout);
  EXPECT_NEAR(in_seconds(attempt.failed_link), cost, 0.01 * cost);
  EXPECT_GT(outcome.log.compression.steps_jumped, 15000);  // months stay cheap
}

TEST(LinkFailures, AtRandomKeepTheBooks) {
  const std::string yaml = crossing_job("failures: {cable: {mtbf: 2 h, repair: 10 s}}\nseed: 3\n");
  const Outcome outcome = played(yaml);
  EXPECT_EQ(attempts_of(outcome.log, "j").back().end_state, JobState::Completed);
  double sum = 0;
  const Platform platform = experiment_of(yaml).platform;
  for (const LedgerClass& one : ledger(platform, outcome.log)) sum += one.gpu_seconds;
  const double all = platform.gpu_count() * in_seconds(outcome.log.end);
  EXPECT_NEAR(sum, all, 1e-6 * all);
  EXPECT_GT(ledger_of(outcome, yaml, "failed_link"), 0);
}

TEST(LinkFailures, ThatNeverLetAJobSaveAnythingEndTheRunWithAnExplanation) {
  // All spines: no node is to blame, and none is drained.
  std::string list;
  for (const char* spine : {"spine0", "spine1", "spine2", "spine3"})
    list += std::string("{switch: ") + spine + ", at: 0.5 s, repair: 1000 d}, ";
  const Outcome outcome = run_experiment(
      crossing_job("failures: {transport: {timeout: 1 ms, retries: 1}, list: [" + list + "]}\n"));
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_NE(outcome.error.find("job j has lost all the work of 10000 attempts in a row"),
            std::string::npos)
      << outcome.error;
  EXPECT_NE(outcome.error.find("was down for longer than the transport tries"), std::string::npos)
      << outcome.error;
}

}  // namespace

}  // namespace trainyard
