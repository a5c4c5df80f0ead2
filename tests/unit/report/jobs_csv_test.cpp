#include "base/text.hpp"
#include "report/metrics.hpp"
#include "report/writers/labels.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using Row = std::map<std::string, std::string>;

double number(const Row& row, const char* column) { return parse_double(row.at(column)).value(); }

std::vector<Row> rows_of(const EventLog& log) {
  return read_csv(written(write_jobs_csv, small_platform(), log));
}

// "0-4 6" holds 6 numbers.
int size_of_interval_set(const std::string& text) {
  int size = 0;
  for (const std::string& interval : split(text, ' ')) {
    const auto ends = split(interval, '-');
    size += static_cast<int>(*parse_integer(ends.back()) - *parse_integer(ends.front())) + 1;
  }
  return size;
}

TEST(JobsCsv, HasBatsimsColumnsInBatsimsOrder) {
  const std::string text = written(write_jobs_csv, small_platform(), small_log());
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
            "requested_time,success,final_state,starting_time,execution_time,finish_time,"
            "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata");
}

TEST(JobsCsv, OfTheSmallRunIsWrittenByteForByte) {
  const std::string text = written(write_jobs_csv, small_platform(), small_log());
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            // alpha: 4 GPUs are nodes 0 and 1; stretch (60 - 0) / (60 - 10)
            "alpha,mix,compute,0,2,3600,1,COMPLETED_SUCCESSFULLY,10,50,60,10,60,1.2,0-1,-1,"
            "\"attempt=0;job=alpha;state=COMPLETED;cause=;gpus=0-3\"\n"
            "beta,mix,compute,5,1,-1,0,COMPLETED_KILLED,5,20,25,0,20,1,2,-1,"
            "\"attempt=0;job=beta;state=NODE_FAIL;cause=node2 failed;gpus=4-5\"\n"
            // submitted again when it failed at 25: wait 40 - 25, stretch (80 - 25) / (80 - 40)
            "beta#1,mix,compute,25,1,-1,1,COMPLETED_SUCCESSFULLY,40,40,80,15,55,1.375,3,-1,"
            "\"attempt=1;job=beta;state=COMPLETED;cause=;gpus=6-7\"\n"
            // gamma: 8 GPUs need 4 nodes of 2
            "gamma,mix,compute,50,4,-1,0,REJECTED,,,,,,,,-1,"
            "\"attempt=0;job=gamma;state=PENDING;cause=;gpus=\"\n");
}

TEST(JobsCsv, GivesEvalysConsistentRows) {
  for (const Row& row : rows_of(small_log())) {
    for (const char* column : {"job_id", "workload_name", "submission_time", "requested_time",
                               "requested_number_of_resources", "success"})
      EXPECT_FALSE(row.at(column).empty()) << column;
    if (row.at("final_state") == "REJECTED") continue;
    const double start = number(row, "starting_time"), finish = number(row, "finish_time");
    const double submission = number(row, "submission_time");
    EXPECT_DOUBLE_EQ(number(row, "execution_time"), finish - start);
    EXPECT_DOUBLE_EQ(number(row, "waiting_time"), start - submission);
    EXPECT_DOUBLE_EQ(number(row, "turnaround_time"), finish - submission);
    EXPECT_DOUBLE_EQ(number(row, "stretch"), (finish - submission) / (finish - start));
    EXPECT_EQ(size_of_interval_set(row.at("allocated_resources")),
              number(row, "requested_number_of_resources"));
  }
}

// The small run allocates whole nodes, so counting hosts and counting GPUs must agree.
TEST(JobsCsv, GivesEvalysTheUtilisationOfTheLedger) {
  double node_seconds = 0;
  for (const Row& row : rows_of(small_log()))
    if (row.at("final_state") != "REJECTED")
      node_seconds +=
          size_of_interval_set(row.at("allocated_resources")) * number(row, "execution_time");
  const int gpus_per_node = 2;
  const auto classes = ledger(small_platform(), small_log());
  EXPECT_DOUBLE_EQ(gpus_per_node * node_seconds,
                   8 * 100 - gpu_seconds_of(classes, "idle") - gpu_seconds_of(classes, "down"));
}

TEST(JobsCsv, SpeaksOfEndsInBatsimsWords) {
  const std::map<JobState, std::string> words = {{JobState::Completed, "COMPLETED_SUCCESSFULLY"},
                                                 {JobState::Timeout, "COMPLETED_WALLTIME_REACHED"},
                                                 {JobState::NodeFail, "COMPLETED_KILLED"},
                                                 {JobState::Preempted, "COMPLETED_KILLED"},
                                                 {JobState::Running, "COMPLETED_KILLED"}};
  for (const auto& [state, word] : words) {
    EventLog log = small_log();
    log.attempts[1].end_state = state;
    const Row alpha = rows_of(log).front();
    EXPECT_EQ(alpha.at("final_state"), word);
    EXPECT_EQ(alpha.at("success"), state == JobState::Completed ? "1" : "0");
  }
}

TEST(JobsCsv, KeepsNamesWithCommasQuotesAndLineEnds) {
  EventLog log = small_log();
  log.jobs[0].name = "a, \"quoted\"\nname";
  log.jobs[0].workload = "comma, separated";
  const Row row = rows_of(log).front();
  EXPECT_EQ(row.at("job_id"), log.jobs[0].name);
  EXPECT_EQ(row.at("workload_name"), log.jobs[0].workload);
}

TEST(JobsCsv, ReplacesBytesThatAreNotUtf8) {
  EventLog log = small_log();
  log.jobs[0].name = "caf\xe9!";
  EXPECT_EQ(rows_of(log).front().at("job_id"), "caf\xef\xbf\xbd!");
}

TEST(JobsCsv, KeepsJobsOfOneNameApart) {
  EventLog log = small_log();
  for (Job& job : log.jobs) job.name = "same";
  const auto rows = rows_of(log);
  EXPECT_EQ(rows[0].at("job_id"), "same");
  EXPECT_EQ(rows[1].at("job_id"), "same@1");
  EXPECT_EQ(rows[2].at("job_id"), "same@1#1");
  EXPECT_EQ(rows[3].at("job_id"), "same@2");
}

TEST(JobsCsv, LeavesTheStretchOfAnInstantEmpty) {
  EventLog log = small_log();
  log.attempts[1].end = log.attempts[1].start;
  EXPECT_EQ(rows_of(log).front().at("stretch"), "");
}

TEST(JobsCsv, SaysWhyAJobWasCancelledWhilePending) {
  EventLog log = small_log();
  AttemptRecord cancelled;
  cancelled.job = JobId{2};
  cancelled.end_state = JobState::Cancelled;
  cancelled.cause = "asked for; too much";
  log.attempts.push_back(cancelled);
  const Row gamma = rows_of(log).back();
  EXPECT_EQ(gamma.at("final_state"), "REJECTED");
  EXPECT_EQ(gamma.at("metadata"),
            "attempt=0;job=gamma;state=CANCELLED;cause=asked for, too much;gpus=");
}

TEST(IntervalSet, IsClosedAscendingAndDisjoint) {
  EXPECT_EQ(interval_set({}), "");
  EXPECT_EQ(interval_set({6, 4, 0, 1, 2, 3, 3}), "0-4 6");
  EXPECT_EQ(interval_set({7, 8}), "7-8");
}

}  // namespace
}  // namespace trainyard
