// Fragmentation, overtaking, evenness and cascades, by hand on runs of a few jobs.
#include "report/fairness.hpp"

#include "report/vacancy.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {
namespace {

// alpha on nodes 0, 1 from 10 to 60; beta on node 2 from 5 to 25, which is then down; on node 3
// from 40 to 80. All are whole nodes of two GPUs.
TEST(Vacancy, FollowsAttemptsAndOutages) {
  const auto history = vacancies(small_platform(), small_log());
  std::vector<std::pair<double, int>> free;
  for (const Vacancy& now : history) {
    free.emplace_back(in_seconds(now.at), now.free);
    EXPECT_EQ(now.free, now.whole_nodes);
  }
  EXPECT_EQ(free, (std::vector<std::pair<double, int>>{
                      {0, 8}, {5, 6}, {10, 2}, {25, 2}, {40, 0}, {60, 4}, {80, 6}, {90, 8}}));
  EXPECT_EQ(fragmentation(history, seconds(100)), 0);
}

EventLog one_gpu_job() {
  EventLog log;
  Job job;
  job.id = JobId(0);
  log.jobs = {job};
  AttemptRecord attempt;
  attempt.job = JobId(0);
  attempt.start = seconds(0);
  attempt.end = seconds(50);
  attempt.allocation.gpus = {GpuId(0)};
  log.attempts = {attempt};
  log.end = seconds(100);
  return log;
}

// For 50 s one GPU of a node of two is used and the other is of no use to a job of whole nodes:
// 50 of 7 x 50 + 8 x 50 free GPU-seconds.
TEST(Vacancy, AHalfUsedNodeIsFragmented) {
  const auto history = vacancies(nodes_of_gpus(4, 2), one_gpu_job());
  EXPECT_EQ(history[0].free, 7);
  EXPECT_EQ(history[0].whole_nodes, 6);
  EXPECT_DOUBLE_EQ(fragmentation(history, seconds(100)), 50.0 / (7 * 50 + 8 * 50));
}

TEST(Vacancy, ASuspendedAttemptHoldsNothing) {
  EventLog log = one_gpu_job();
  log.suspensions = {{JobId(0), 0, seconds(10), seconds(30)}};
  const auto history = vacancies(nodes_of_gpus(4, 2), log);
  EXPECT_DOUBLE_EQ(fragmentation(history, seconds(100)), 30.0 / (7 * 30 + 8 * 70));
}

// Three jobs on one GPU each, at 0, 1 and 2 s.
EventLog started_at(const std::vector<double>& starts) {
  EventLog log;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    Job job;
    job.id = JobId(static_cast<int>(i));
    job.name = std::string(1, static_cast<char>('a' + i));
    job.submit = seconds(static_cast<double>(i));
    log.jobs.push_back(job);
    if (starts[i] < 0) continue;
    AttemptRecord attempt;
    attempt.job = job.id;
    attempt.start = seconds(starts[i]);
    attempt.end = attempt.start + seconds(100);
    attempt.end_state = JobState::Completed;
    attempt.work = seconds(100);
    attempt.allocation.gpus = {GpuId(static_cast<int>(i))};
    log.attempts.push_back(attempt);
  }
  log.end = seconds(1000);
  return log;
}

TEST(Overtaken, IsWhoStartsAfterALaterJobOfItsPriority) {
  const auto count = [](const EventLog& log) { return overtaken(log, job_times(log)); };
  EXPECT_EQ(count(started_at({0, 1, 2})), 0);
  EXPECT_EQ(count(started_at({5, 1, 2})), 1);
  EXPECT_EQ(count(started_at({5, 4, 2})), 2);
  EXPECT_EQ(count(started_at({-1, 4, 5})), 1) << "who never starts is overtaken too";
  EventLog log = started_at({5, 1, 2});
  log.jobs[1].priority = log.jobs[2].priority = 1;
  EXPECT_EQ(count(log), 0) << "by a higher priority nobody is overtaken";
}

// Slowdowns of a and b: 1, and (100 + 300 - 1 + 1) / 100 = 4. Jain: (1 + 4)^2 / (2 (1 + 16)).
TEST(Evenness, IsJainsIndexOfTheUsersMeanSlowdowns) {
  EventLog log = started_at({0, 301});
  EXPECT_TRUE(std::isnan(evenness_among_users(log, job_times(log)))) << "nobody is named";
  log.jobs[0].user = "a";
  log.jobs[1].user = "b";
  EXPECT_DOUBLE_EQ(evenness_among_users(log, job_times(log)), 25.0 / 34);
}

// b takes a's place, then c takes b's: b's preemption follows from its own.
TEST(Cascade, IsAChainOfVictimsThatWerePreemptors) {
  EventLog log = started_at({0, 1, 2});
  EXPECT_EQ(longest_cascade(log), 0);
  log.attempts[0].end_state = JobState::Preempted;
  log.attempts[0].preempted_for = JobId(1);
  EXPECT_EQ(longest_cascade(log), 1);
  log.attempts[1].end_state = JobState::Preempted;
  log.attempts[1].preempted_for = JobId(2);
  EXPECT_EQ(longest_cascade(log), 2);
}

}  // namespace
}  // namespace trainyard
