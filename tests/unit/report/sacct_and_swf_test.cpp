// The run in accounting's own formats.
#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "report/groups.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

std::vector<std::map<std::string, std::string>> sacct_rows(const EventLog& log) {
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> names;
  for (const std::string& line : split(written(write_sacct_txt, small_platform(), log), '\n')) {
    const std::vector<std::string> cells = split(line, '|');
    if (names.empty()) {
      names = cells;
    } else if (cells.size() == names.size()) {
      rows.emplace_back();
      for (std::size_t i = 0; i < cells.size(); ++i) rows.back()[names[i]] = cells[i];
    }
  }
  return rows;
}

TEST(Sacct, HasARecordForEveryAttemptAndForWhoNeverStarted) {
  const auto rows = sacct_rows(small_log());
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].at("JobName"), "alpha");
  EXPECT_EQ(rows[0].at("State"), "COMPLETED");
  EXPECT_EQ(rows[0].at("ElapsedRaw"), "50");  // 10 to 60 s
  EXPECT_EQ(rows[0].at("TimelimitRaw"), "60");
  EXPECT_EQ(rows[0].at("NodeList"), "node[0-1]");
  EXPECT_EQ(rows[0].at("AllocTRES"), "gres/gpu=4,node=2");
  EXPECT_EQ(rows[3].at("State"), "PENDING");
  EXPECT_EQ(rows[3].at("Start"), "Unknown");
}

TEST(Sacct, ARequeuedJobKeepsItsIdAndIsSubmittedWhenItFailed) {
  const auto rows = sacct_rows(small_log());
  EXPECT_EQ(rows[1].at("JobIDRaw"), rows[2].at("JobIDRaw"));
  EXPECT_EQ(rows[1].at("State"), "NODE_FAIL");
  EXPECT_EQ(rows[1].at("FailedNode"), "node2");
  EXPECT_EQ(rows[1].at("End"), "1970-01-01T00:00:25");
  EXPECT_EQ(rows[2].at("Submit"), rows[1].at("End"));
  EXPECT_EQ(rows[2].at("Restarts"), "1");
  EXPECT_EQ(rows[2].at("Planned"), "00:00:15");  // 25 to 40 s
}

TEST(Sacct, TimeThatAnAttemptStoodStillIsSuspendedAndNotElapsed) {
  EventLog log = small_log();
  log.attempts[1].suspended = seconds(20);
  const auto rows = sacct_rows(log);
  EXPECT_EQ(rows[0].at("ElapsedRaw"), "30");
  EXPECT_EQ(rows[0].at("Suspended"), "00:00:20");
}

std::vector<std::string> swf_lines(const EventLog& log) {
  std::vector<std::string> lines;
  for (const std::string& line : split(written(write_jobs_swf, small_platform(), log), '\n'))
    if (!line.empty() && line[0] != ';') lines.push_back(line);
  return lines;
}

TEST(Swf, AJobIsALineOfWaitRunTimeProcessorsAndStatus) {
  const std::vector<std::string> lines = swf_lines(small_log());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "1 0 10 50 4 -1 -1 4 3600 -1 1 -1 -1 -1 -1 -1 -1 -1");
  EXPECT_EQ(lines[1], "2 5 0 60 2 -1 -1 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1");  // 20 s and 40 s
  EXPECT_EQ(lines[2], "3 50 -1 -1 -1 -1 -1 8 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1");
}

TEST(Swf, AJobOfAnSwfTraceKeepsTheFieldsThatAreNotTheSimulations) {
  EventLog log = small_log();
  log.jobs[0].swf = "77 1027839845 3 9 4 552.21 11 4 3600 12 0 13 14 15 16 17 18 19";
  EXPECT_EQ(swf_lines(log)[0], "77 1027839845 10 50 4 552.21 11 4 3600 12 1 13 14 15 16 17 18 19");
}

TEST(Swf, UsersAndQueuesWithoutNumbersGetThemInOrderOfTheirNames) {
  EventLog log = small_log();
  log.jobs[0].user = "zoe";
  log.jobs[1].user = "adam";
  log.jobs[0].partition = "3";
  const std::vector<std::string> lines = swf_lines(log);
  EXPECT_EQ(lines[0], "1 0 10 50 4 -1 -1 4 3600 -1 1 2 -1 -1 3 -1 -1 -1");
  EXPECT_EQ(lines[1], "2 5 0 60 2 -1 -1 2 -1 -1 1 1 -1 -1 -1 -1 -1 -1");
}

TEST(Groups, FareByPartitionUserWorkloadAndSize) {
  EventLog log = small_log();
  log.jobs[0].user = "zoe";
  log.jobs[0].partition = "a";
  log.jobs[1].partition = "b";
  const auto rows = read_csv(written(write_groups_csv, small_platform(), log));
  std::map<std::string, std::map<std::string, std::string>> by_name;
  for (const auto& row : rows) by_name[row.at("by") + " " + row.at("group")] = row;
  EXPECT_EQ(by_name.at("size 2-8").at("jobs"), "3");
  EXPECT_EQ(by_name.at("user zoe").at("mean_wait_s"), "10");
  EXPECT_EQ(by_name.at("user (none)").at("jobs"), "2");
  EXPECT_EQ(by_name.at("partition b").at("requeues"), "1");
  EXPECT_EQ(by_name.at("partition b").at("lost_gpu_s"), "20");        // 2 GPUs for 10 s
  EXPECT_EQ(by_name.at("partition a").at("allocated_gpu_s"), "200");  // 4 GPUs for 50 s
  EXPECT_EQ(by_name.at("partition a").at("mean_contention_delay_s"), "3");
  // 800 GPU-seconds, of which node 2 was down from 25 to 90 s: 2 GPUs for 65 s.
  EXPECT_DOUBLE_EQ(std::stod(by_name.at("partition a").at("utilisation")), 200.0 / (800 - 130));
}

}  // namespace
}  // namespace trainyard
