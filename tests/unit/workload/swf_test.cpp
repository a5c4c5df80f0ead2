// What the reader of the Standard Workload Format takes from a line, and what it makes of a trace.
#include "workload/importers/jobs/swf.hpp"

#include "files.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using testing::TemporaryFile;

// One line: the fields that matter, "unknown" in the rest.
struct Line {
  std::string job = "1", submit = "0", run = "100", allocated = "4", requested = "-1",
              limit = "200", status = "1", queue = "-1";
  operator std::string() const {
    return job + " " + submit + " -1 " + run + " " + allocated + " -1 -1 " + requested + " " +
           limit + " -1 " + status + " 1 1 -1 " + queue + " -1 -1 -1\n";
  }
};

JobTrace read(const std::string& content, const JobTraceOptions& options = {}) {
  const TemporaryFile file("trace.swf", content);
  return read_swf(file.path(), options);
}

Line job(const std::string& number, const std::string& submit) {
  Line line;
  line.job = number;
  line.submit = submit;
  return line;
}

TEST(Swf, AJobIsItsNumberSubmissionProcessorsRunTimeAndLimit) {
  Line line;
  line.job = "42";
  const JobTrace trace = read(line);
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].name, "42");
  EXPECT_EQ(trace.jobs[0].gpus, 4);
  EXPECT_EQ(trace.jobs[0].run_time, seconds(100));
  EXPECT_EQ(trace.jobs[0].limit, seconds(200));
  EXPECT_EQ(trace.jobs[0].plan, -1);
}

TEST(Swf, TimesCountFromTheFirstJobsSubmission) {
  const JobTrace trace =
      read(std::string(job("1", "1027839845")) + std::string(job("2", "1027839850.5")));
  EXPECT_EQ(trace.jobs[0].submit, seconds(0));
  EXPECT_EQ(trace.jobs[1].submit, seconds(5.5));
}

TEST(Swf, RequestedProcessorsStandInForUnknownAllocatedOnes) {
  Line line;
  line.allocated = "-1";
  line.requested = "16";
  EXPECT_EQ(read(line).jobs[0].gpus, 16);
  line.allocated = "8";
  EXPECT_EQ(read(line).jobs[0].gpus, 8);
}

TEST(Swf, AProcessorMayStandForSeveralGpus) {
  JobTraceOptions options;
  options.gpus_per_processor = 8;
  EXPECT_EQ(read(Line(), options).jobs[0].gpus, 4 * 8);
}

TEST(Swf, AJobWithoutARequestedTimeGetsTheDefaultLimitAndIsCounted) {
  Line line;
  line.limit = "-1";
  JobTraceOptions options;
  options.default_limit = hours(3);
  const JobTrace trace = read(line, options);
  EXPECT_EQ(trace.jobs[0].limit, hours(3));
  EXPECT_EQ(trace.no_limit, 1);
  EXPECT_EQ(trace.over_limit, 0);
}

TEST(Swf, AJobOverItsLimitIsKeptAndCounted) {
  Line exactly, over;
  exactly.run = exactly.limit = over.limit = "200";
  over.job = "2";
  over.run = "201";
  const JobTrace trace = read(std::string(exactly) + std::string(over));
  EXPECT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.over_limit, 1);
}

TEST(Swf, JobsThatNeverRanOrHaveNoSizeAreDroppedAndCountedByReason) {
  Line good, no_run, zero_run, no_processors, piece;
  no_run.run = "-1";
  zero_run.run = "0";
  no_processors.allocated = "-1";
  piece.status = "3";
  const JobTrace trace = read(std::string(good) + std::string(no_run) + std::string(zero_run) +
                              std::string(no_processors) + std::string(piece));
  EXPECT_EQ(trace.jobs.size(), 1U);
  const std::map<std::string, std::int64_t> expected = {{"run time unknown or zero", 2},
                                                        {"processors unknown or zero", 1},
                                                        {"piece of a job (status 2 to 4)", 1}};
  EXPECT_EQ(trace.dropped, expected);
}

TEST(Swf, FailedAndCancelledJobsThatRanHeldTheirGpusAndAreKept) {
  Line failed, cancelled;
  failed.status = "0";
  cancelled.status = "5";
  cancelled.job = "2";
  EXPECT_EQ(read(std::string(failed) + std::string(cancelled)).jobs.size(), 2U);
}

TEST(Swf, LinesOutOfOrderAreSortedBySubmissionThenNumberAndCounted) {
  const JobTrace trace = read(std::string(job("3", "50")) + std::string(job("2", "10")) +
                              std::string(job("1", "10")) + std::string(job("4", "60")));
  std::string order;
  for (const Job& each : trace.jobs) order += each.name;
  EXPECT_EQ(order, "1234");
  EXPECT_EQ(trace.out_of_order, 1);  // only job 2 is earlier than the line above it
  EXPECT_EQ(trace.jobs[2].submit, seconds(50 - 10));
}

TEST(Swf, OnlyTheFirstJobsAreKeptIfSoAsked) {
  JobTraceOptions options;
  options.max_jobs = 2;
  const JobTrace trace =
      read(std::string(job("1", "0")) + std::string(job("2", "1")) + "not read any more", options);
  EXPECT_EQ(trace.jobs.size(), 2U);
}

TEST(Swf, AQueueCanStandForAPriority) {
  Line urgent;
  urgent.queue = "3";
  JobTraceOptions options;
  options.queue_priority = {{"3", 1000}};
  EXPECT_EQ(read(urgent, options).jobs[0].priority, 1000);
  EXPECT_EQ(read(Line(), options).jobs[0].priority, 0);
}

TEST(Swf, HeaderCommentsBecomeKeysAndValues) {
  const JobTrace trace = read(
      "; Version: 2.2\n;Note: a\n;\n; Note: b: c\n;  just words: not a key\n"
      "; http://www.nas.nasa.gov/\n; Site: \xc5land\n" +
      std::string(Line()));
  const std::map<std::string, std::string> expected = {
      {"Version", "2.2"}, {"Note", "a\nb: c"}, {"Site", "\\xc5land"}};
  EXPECT_EQ(trace.header, expected);
}

TEST(Swf, BlankLinesWindowsLineEndsAndAMissingLastLineEndAreFine) {
  std::string windows = "; Version: 2\r\n\r\n" + std::string(Line());
  windows.insert(windows.size() - 1, "\r");
  EXPECT_EQ(read(windows).jobs.size(), 1U);
  EXPECT_EQ(read("\xef\xbb\xbf; Version: 2\n" + std::string(Line())).header.at("Version"), "2");
  const std::string line = Line();
  EXPECT_EQ(read(line.substr(0, line.size() - 1)).jobs.size(), 1U);
}

TEST(Swf, ACompressedTraceIsTheSameTrace) {
  const std::string plain =
      testing::content_of(testing::source_path("tests/data/workload/twenty_jobs.swf"));
  const JobTrace expected = read(plain);
  const JobTrace trace = read(testing::gzipped(plain));
  ASSERT_EQ(trace.jobs.size(), expected.jobs.size());
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    EXPECT_EQ(trace.jobs[i].name, expected.jobs[i].name);
    EXPECT_EQ(trace.jobs[i].submit, expected.jobs[i].submit);
    EXPECT_EQ(trace.jobs[i].run_time, expected.jobs[i].run_time);
  }
}

}  // namespace
}  // namespace trainyard
