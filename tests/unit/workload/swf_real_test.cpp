// Real logs of the Parallel Workloads Archive, and files that only call themselves SWF.
//
// The numbers are counted over the raw lines by independent means; a change here is a change in
// what the reader understands.
#include "base/error.hpp"
#include "files.hpp"
#include "workload/importers/jobs/swf.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::reference_path;

std::int64_t lines_with_jobs(const JobTrace& trace) {
  auto lines = static_cast<std::int64_t>(trace.jobs.size());
  for (const auto& [reason, count] : trace.dropped) lines += count;
  return lines;
}

TEST(RealSwf, Hpc2nHas3170LinesOfWhich320RanLongerThanTheyAskedFor) {
  const std::string file = reference_path("workload/HPC2N-2002.head.swf");
  TRAINYARD_NEEDS(file);
  const JobTrace trace = read_swf(file, {});
  EXPECT_EQ(lines_with_jobs(trace), 3170);
  EXPECT_EQ(trace.dropped.at("run time unknown or zero"), 25);
  EXPECT_EQ(trace.over_limit, 320);  // run time (field 4) > requested time (field 9) > 0
  EXPECT_EQ(trace.header.at("MaxProcs"), "240");
}

TEST(RealSwf, NasaIsReadFromItsCompressedFile) {
  const std::string file = reference_path("workload/NASA-iPSC-1993-3.1-cln.swf.gz");
  TRAINYARD_NEEDS(file);
  const JobTrace trace = read_swf(file, {});
  EXPECT_EQ(lines_with_jobs(trace), 18239);
  EXPECT_EQ(trace.dropped.at("run time unknown or zero"), 173);
  EXPECT_EQ(trace.no_limit, static_cast<std::int64_t>(trace.jobs.size()));
  EXPECT_EQ(trace.jobs[0].gpus, 128);
}

TEST(RealSwf, LublinsModelHasTenThousandJobsAndNoLimits) {
  const std::string file = reference_path("workload/lublin_256.swf");
  TRAINYARD_NEEDS(file);
  const JobTrace trace = read_swf(file, {});
  EXPECT_EQ(trace.jobs.size(), 10000U);
  EXPECT_TRUE(trace.dropped.empty());
  EXPECT_EQ(trace.jobs[1].submit, seconds(5170 - 5094));
}

TEST(RealSwf, AFileOfSixColumnsCalledSwfIsRefusedWithBothNumbers) {
  const std::string file = reference_path("workload/anl-extract.swf");
  TRAINYARD_NEEDS(file);
  try {
    read_swf(file, {});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith(file + ":1: expected 18 fields, found 6"));
  }
}

TEST(HandMadeTrace, TwentyJobsAreAsItsCommentSays) {
  const JobTrace trace = read_swf(testing::source_path("tests/data/workload/twenty_jobs.swf"), {});
  ASSERT_EQ(trace.jobs.size(), 20U);
  EXPECT_TRUE(trace.dropped.empty());
  EXPECT_EQ(trace.over_limit, 1);
  EXPECT_EQ(trace.no_limit, 1);
  EXPECT_EQ(trace.out_of_order, 0);
  EXPECT_EQ(trace.jobs[4].gpus, 32);
  EXPECT_EQ(trace.jobs[19].gpus, 2);
}

double gpu_seconds(const Job& job) { return job.gpus * in_seconds(job.run_time); }

TEST(ShippedTrace, FillsFiveHundredTwelveGpusMostlyWithBigJobs) {
  const JobTrace trace = read_swf(testing::source_path("experiments/traces/gpu_mix_512.swf"), {});
  double all = 0;
  double big = 0;
  for (const Job& job : trace.jobs) {
    EXPECT_EQ(job.gpus & (job.gpus - 1), 0) << "a power of two";
    EXPECT_LE(job.gpus, 256);
    EXPECT_GE(job.limit, job.run_time);
    all += gpu_seconds(job);
    if (job.gpus >= 64) big += gpu_seconds(job);
  }
  const double load = all / (512 * in_seconds(trace.jobs.back().submit));
  EXPECT_GT(load, 0.9);
  EXPECT_LT(load, 1.0);
  EXPECT_GT(big / all, 0.75);
  EXPECT_EQ(std::to_string(trace.jobs.size()), trace.header.at("MaxJobs"));
}

TEST(ShippedTrace, IsWhatItsGeneratorWrites) {
  const std::string folder = testing::source_path("experiments/traces/");
  if (std::system("python3 --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "NO python3, nothing was checked";
  const testing::TemporaryFile again("again.swf", "");
  const std::string command = "python3 " + folder + "make_gpu_mix.py > " + again.path();
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(testing::content_of(again.path()), testing::content_of(folder + "gpu_mix_512.swf"));
}

}  // namespace
}  // namespace trainyard
