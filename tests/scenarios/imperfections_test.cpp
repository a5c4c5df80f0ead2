// Ranks that compute unevenly: what that costs is worked out from the distribution, and is charged
// to the variation and to nobody else.
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {

namespace {

// Eight ranks on two nodes that compute 100 ms and reduce next to nothing.
std::string even_job(const std::string& more, const std::string& steps = "2000") {
  return "platform: " + switch_platform(2, 4) +
         "\nplans:\n  p: {operations: [{name: work, compute: 100 ms}, "
         "{name: sum, all_reduce: 8 B, after: work}]}\n"
         "workload:\n  - jobs: [{name: a, gpus: 8, plan: p, steps: " +
         steps + "}]\ntime_compression: off\noutput: {iterations: segments}\n" + more;
}

AttemptRecord charged(const std::string& yaml, double& mean) {
  const Outcome outcome = run_experiment(yaml);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  mean = mean_step_of(outcome.log, "a");
  return only_attempt_of(outcome.log, "a");
}

}  // namespace

// The step waits for the slowest of eight: of a uniform factor in 1 +- w the largest of n is
// 1 + w (n-1)/(n+1) on the mean.
TEST(Imperfections, OfUniformJitterCostTheLargestOfTheRanks) {
  double even = 0, uneven = 0;
  charged(even_job("", "50"), even);
  const double deviation = 0.1, w = std::sqrt(3.0) * deviation;
  const AttemptRecord record =
      charged(even_job("imperfections: {jitter: {shape: uniform, deviation: 0.1}}\n"), uneven);
  const double expected = 0.1 * w * 7 / 9;
  // The largest of eight has a deviation of w sqrt(4 n / ((n+1)^2 (n+2))), 2,000 steps.
  const double doubt = 4 * 0.1 * w * std::sqrt(4 * 8.0 / (81 * 10)) / std::sqrt(2000.0);
  EXPECT_NEAR(uneven - even, expected, doubt);
  EXPECT_NEAR(in_seconds(record.variation) / 2000, uneven - even, 1e-9);
  EXPECT_NEAR(in_seconds(record.contention), 0, 1e-6);
}

// All ranks pause 200 ms every 10 s: 2 % of the time, whoever collects.
TEST(Imperfections, OfPausesTogetherCostTheirShareOfTheTime) {
  double even = 0, uneven = 0;
  charged(even_job("", "50"), even);
  charged(even_job("imperfections: {pauses: {every: 10 s, length: 200 ms, together: on}}\n"),
          uneven);
  // A pause every 10 s of wall time, in which 9.8 s of work are done.
  EXPECT_NEAR(uneven, even * 10 / 9.8, 0.002 * even);
}

// At random phases eight ranks pause in turn, and every pause stops all of them.
TEST(Imperfections, OfPausesAtRandomPhasesCostNearlyEveryOneOfThem) {
  double even = 0, uneven = 0;
  charged(even_job("", "50"), even);
  charged(even_job("imperfections: {pauses: {every: 20 s, length: 200 ms}}\n"), uneven);
  const double all_apart = even * 20 / (20 - 8 * 0.2), all_together = even * 20 / (20 - 0.2);
  EXPECT_GT(uneven, all_together * 1.01);
  EXPECT_LT(uneven, all_apart * 1.002);
}

// From second 10 to 20 a GPU computes twice as long: 100 of the steps' 10 s become 20 s of which
// the spell covers ten.
TEST(Imperfections, OfASpellLastAsLongAsTheSpell) {
  double even = 0, uneven = 0;
  const AttemptRecord before = charged(even_job("", "300"), even);
  const AttemptRecord record = charged(
      even_job("slow: {gpus: [{gpu: node0/gpu1, factor: 2, from: 10 s, to: 20 s}]}\n", "300"),
      uneven);
  // Ten seconds at half speed: 5 s of work lost, up to the step under way at each end.
  const double lost = in_seconds((record.end - record.start) - (before.end - before.start));
  EXPECT_NEAR(lost, 5, 0.15);
}

// Time compression may not jump over what has its dates.
TEST(Imperfections, OfASpellAreThereUnderTimeCompressionToo) {
  double exact = 0, compressed = 0;
  const std::string spell =
      "slow: {gpus: [{gpu: node0/gpu1, factor: 2, from: 10 s, to: 20 s, period: 50 s}]}\n";
  std::string jumping = even_job(spell, "1000");
  charged(jumping, exact);
  jumping.replace(jumping.find("time_compression: off"), 21, "time_compression: on");
  charged(jumping, compressed);
  EXPECT_DOUBLE_EQ(compressed, exact);
}

TEST(Imperfections, AreTheSameWhateverElseRuns) {
  const std::string jitter = "imperfections: {jitter: {deviation: 0.05}}\n";
  const std::string alone = even_job(jitter, "200");
  std::string beside = alone;
  beside.replace(beside.find("steps: 200}"), 11, "steps: 200}, {name: b, gpus: 8, run_time: 1 s}");
  double first = 0, second = 0;
  charged(alone, first);
  charged(beside, second);
  EXPECT_DOUBLE_EQ(first, second);
}

}  // namespace trainyard
