#include "report/metrics.hpp"

#include "report/job_times.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace trainyard {
namespace {

double metric(const std::string& name, const Platform& platform, const EventLog& log) {
  for (const MetricEntry& entry : metrics())
    if (entry.name == name) return entry.value(Books(platform, log));
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

double small(const std::string& name) { return metric(name, small_platform(), small_log()); }

TEST(Metrics, CountWhatHappenedToTheJobsOfTheSmallRun) {
  EXPECT_EQ(small("jobs"), 3);
  EXPECT_EQ(small("completed"), 2);
  EXPECT_EQ(small("never_started"), 1);  // gamma
  EXPECT_EQ(small("cut_off"), 0);
  EXPECT_EQ(small("timeouts"), 0);
  EXPECT_EQ(small("preemptions"), 0);
  EXPECT_EQ(small("node_fails"), 1);
  EXPECT_EQ(small("requeues"), 1);  // beta's second attempt
}

TEST(Metrics, AWaitIsTheFirstStartMinusTheSubmission) {
  const double alpha = 10 - 0, beta = 5 - 5;
  EXPECT_DOUBLE_EQ(small("mean_wait_s"), (alpha + beta) / 2);
  EXPECT_DOUBLE_EQ(small("median_wait_s"), (alpha + beta) / 2);
  EXPECT_DOUBLE_EQ(small("p95_wait_s"), beta + 0.95 * (alpha - beta));
  EXPECT_DOUBLE_EQ(small("max_wait_s"), alpha);
  EXPECT_DOUBLE_EQ(small("makespan_s"), 80 - 0);
}

TEST(Metrics, SlowdownCountsLostWorkAndRestartsAsDelay) {
  const double alpha = (60.0 - 0) / (45 + 5);
  const double beta = (80.0 - 5) / (8 + 2 + 36);
  EXPECT_DOUBLE_EQ(small("mean_bounded_slowdown"), (alpha + beta) / 2);
  EXPECT_DOUBLE_EQ(small("mean_turnaround_s"), ((60 - 0) + (80 - 5)) / 2.0);
}

TEST(Metrics, SlowdownOfAShortJobIsBoundedByTenSeconds) {
  EventLog log;
  log.jobs.resize(1);
  AttemptRecord attempt;
  attempt.job = JobId{0};
  attempt.start = seconds(19);
  attempt.end = seconds(20);
  attempt.work = seconds(1);
  attempt.end_state = JobState::Completed;
  attempt.allocation.gpus = {GpuId{0}};
  log.attempts = {attempt};
  log.end = seconds(20);
  EXPECT_DOUBLE_EQ(metric("mean_bounded_slowdown", small_platform(), log), 20.0 / 10);
}

TEST(Metrics, UtilisationIsOfTheGpusThatWereUp) {
  const double allocated = 4 * 50 + 2 * 20 + 2 * 40;
  EXPECT_DOUBLE_EQ(small("allocated_gpu_s"), allocated);
  EXPECT_DOUBLE_EQ(small("utilisation"), allocated / (8 * 100 - 2 * 65));
  EXPECT_DOUBLE_EQ(small("goodput"), (4.0 * 39 + 2 * 8 + 2 * 36) / (8 * 100));
  EXPECT_DOUBLE_EQ(small("contention_gpu_s"), 4 * 3);
  EXPECT_DOUBLE_EQ(small("contention_share"), 4 * 3 / allocated);
  EXPECT_DOUBLE_EQ(small("lost_gpu_s"), 2 * 10);
}

TEST(Metrics, OfNothingAreUndefinedAndCountsAreZero) {
  const Platform platform = small_platform();
  for (const char* name : {"makespan_s", "mean_wait_s", "p95_wait_s", "mean_bounded_slowdown",
                           "utilisation", "goodput", "contention_share"})
    EXPECT_TRUE(std::isnan(metric(name, platform, {}))) << name;
  for (const char* name : {"jobs", "completed", "preemptions", "requeues", "contention_gpu_s"})
    EXPECT_EQ(metric(name, platform, {}), 0) << name;
}

TEST(Metrics, AJobCancelledWhilePendingNeverStarted) {
  EventLog log = small_log();
  AttemptRecord cancelled;
  cancelled.job = JobId{2};
  cancelled.start = cancelled.end = seconds(70);
  cancelled.end_state = JobState::Cancelled;
  log.attempts.push_back(cancelled);
  EXPECT_EQ(metric("never_started", small_platform(), log), 1);
  EXPECT_DOUBLE_EQ(metric("mean_wait_s", small_platform(), log), 5);
}

TEST(Metrics, EachHasAnOwnNameAndASentence) {
  std::set<std::string> names;
  for (const MetricEntry& entry : metrics()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(std::string(entry.sentence).empty()) << entry.name;
  }
}

TEST(Percentile, InterpolatesAsNumpyDoes) {
  EXPECT_DOUBLE_EQ(percentile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(percentile({4, 1, 3, 2}, 0.95), 3 + 0.85);  // position 0.95 x 3 = 2.85
  EXPECT_DOUBLE_EQ(percentile({7}, 0.95), 7);
  EXPECT_TRUE(std::isnan(percentile({}, 0.5)));
}

}  // namespace
}  // namespace trainyard
