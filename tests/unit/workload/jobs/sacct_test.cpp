// sacct's dumps: lines that break, bytes that are no text, steps, and what sbatch was told.
#include "workload/importers/jobs/sacct.hpp"

#include "base/error.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace trainyard {

namespace {

JobTrace read(const std::string& text) {
  const std::string file = scratch_path("sacct.txt");
  std::ofstream(file, std::ios::binary) << text;
  return read_sacct(file, {});
}

const char* const kHeader =
    "JobID|JobName|User|Account|Partition|QOS|Submit|ElapsedRaw|Timelimit|ReqTRES|State\n";

}  // namespace

TEST(Sacct, GivesJobsWithTheirOptionsAndNoSteps) {
  const JobTrace trace = read(
      std::string(kHeader) +
      "7|a|u1|x|low|normal|2024-02-29T23:59:50|100|1-00:00:00|cpu=8,gres/gpu=16,node=2|COMPLETED\n"
      "7.0|a||x||||100|||COMPLETED\n"
      "8|b|u2|y|high|urgent|2024-03-01T00:00:10|50|30:00|gres/gpu:h100=8|FAILED\n"
      "9|c|u2|y|high|urgent|2024-03-01T00:00:20|50|30:00|cpu=4|COMPLETED\n");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].gpus, 16);
  EXPECT_EQ(trace.jobs[0].limit, days(1));
  EXPECT_EQ(trace.jobs[0].sbatch, "--partition=low --account=x --qos=normal --user=u1");
  EXPECT_EQ(trace.jobs[1].gpus, 8);
  EXPECT_EQ(trace.jobs[1].limit, minutes(30));
  EXPECT_EQ(trace.jobs[1].submit, seconds(20));  // over the 29th of February
  EXPECT_EQ(trace.dropped.at("no GPU"), 1);
}

TEST(Sacct, JoinsLinesThatBreakWithinAField) {
  const JobTrace trace =
      read(std::string(kHeader) +
           "7|two\nlines \xff\xfe|u|x|p|q|2024-01-01T00:00:00|5|10:00|gres/gpu=1|"
           "COMPLETED\n"
           "8|b|u|x|p|q|2024-01-01T00:00:01|5|10:00|gres/gpu=1|COMPLETED\n");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].name, "7");
  EXPECT_EQ(trace.jobs[0].sbatch, "--partition=p --account=x --qos=q --user=u");
}

TEST(Sacct, CountsLinesThatAreNoRecords) {
  const JobTrace trace = read(std::string(kHeader) +
                              "half|a line\n"
                              "8|b|u|x|p|q|2024-01-01T00:00:01|5|10:00|gres/gpu=1|COMPLETED\n"
                              "8|b|u|x|p|q|2024-01-01T00:01:01|5|10:00|gres/gpu=1|COMPLETED\n");
  EXPECT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.dropped.at("a line without the header's fields"), 1);
  EXPECT_EQ(trace.dropped.at("a later run of the same job"), 1);
}

TEST(Sacct, WithoutAHeaderItsColumnsMustBeSaid) {
  const std::string file = scratch_path("noheader.txt");
  std::ofstream(file)
      << "7|2024-03-01T00:00:00|100|gres/gpu=16\n8|2024-03-01T00:01:00|50|gres/gpu=8\n";
  JobTraceOptions options;
  options.columns = {"jobid", "Submit", "ElapsedRaw", "ReqTRES"};
  const JobTrace trace = read_sacct(file, options);
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].gpus, 16);
  EXPECT_EQ(trace.jobs[1].submit, minutes(1));
  const auto problem_of = [&](const JobTraceOptions& said) -> std::string {
    try {
      read_sacct(file, said);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(problem_of({}).find("say the 'columns'"), std::string::npos);
  options.columns.pop_back();
  EXPECT_NE(problem_of(options).find("has 4 fields; 'columns' names 3"), std::string::npos);
}

}  // namespace trainyard
