// The groups of a run on the terminal.
#include "report/group_table.hpp"

#include "small_run.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

TEST(GroupTable, HasALineForEachGroupOfAKindThatHasSeveral) {
  EventLog log = small_log();
  for (Job& job : log.jobs) job.user = "alice";
  EXPECT_EQ(group_table(small_platform(), log).find("user"), std::string::npos)
      << "one user is no comparison";
  log.jobs[0].user = "bob";
  const std::string table = group_table(small_platform(), log);
  EXPECT_NE(table.find("\nuser alice "), std::string::npos);
  EXPECT_NE(table.find("\nuser bob "), std::string::npos);
}

TEST(GroupTable, NamesOnlyTheFourWithTheMostGpuTime) {
  EventLog log;
  for (int i = 0; i < 6; ++i) {
    Job job;
    job.id = JobId(i);
    job.name = job.user = std::string(1, static_cast<char>('a' + i));
    log.jobs.push_back(job);
    AttemptRecord attempt;
    attempt.job = job.id;
    attempt.end = seconds(10 * (i + 1));
    attempt.end_state = JobState::Completed;
    attempt.allocation.gpus = {GpuId(i)};
    log.attempts.push_back(attempt);
  }
  log.end = seconds(60);
  const std::string table = group_table(small_platform(), log);
  EXPECT_EQ(table.find("user a "), std::string::npos);
  EXPECT_EQ(table.find("user b "), std::string::npos);
  EXPECT_NE(table.find("user c "), std::string::npos);
  EXPECT_NE(table.find("user f "), std::string::npos);
  EXPECT_NE(table.find("28.6 %"), std::string::npos);  // 60 of 210 GPU-seconds
}

}  // namespace
}  // namespace trainyard
