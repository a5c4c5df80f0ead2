// Every format of GPU-cluster traces says of the same two jobs the same: one of a GPU for 300 s,
// and a minute later one of eight GPUs for 2,000 s.
#include "base/error.hpp"
#include "unit/workload/files.hpp"
#include "workload/importers/jobs/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard {
namespace {

std::string fixture(const std::string& name) {
  return testing::source_path("tests/data/workload/jobs/" + name);
}

JobTrace read(const std::string& format, const std::string& file,
              const JobTraceOptions& options = {}) {
  for (const JobTraceFormat& known : job_trace_formats())
    if (known.name == format) return known.read(file, options);
  throw std::logic_error("no format " + format);
}

struct Case {
  const char* format;
  const char* file;
  std::int64_t dropped;
};

class EveryJobTrace : public ::testing::TestWithParam<Case> {};

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  std::string name = std::string(info.param.format) + "_" + info.param.file;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

JobTraceOptions what_traces_leave_open() {
  JobTraceOptions options;
  options.throughputs = fixture("throughputs.json");
  options.worker = "v100";
  options.run_times = {{"cifar10", seconds(300)}, {"bert", seconds(2000)}};
  return options;
}

TEST_P(EveryJobTrace, SaysWhenJobsCameHowLargeTheyWereAndHowLongTheyRan) {
  const JobTrace trace =
      read(GetParam().format, fixture(GetParam().file), what_traces_leave_open());
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].submit, seconds(0));
  EXPECT_EQ(trace.jobs[1].submit, seconds(60));
  EXPECT_EQ(trace.jobs[0].gpus, 1);
  EXPECT_EQ(trace.jobs[1].gpus, 8);
  EXPECT_DOUBLE_EQ(in_seconds(trace.jobs[0].run_time), 300);
  EXPECT_DOUBLE_EQ(in_seconds(trace.jobs[1].run_time), 2000);
  EXPECT_EQ(trace.jobs[0].limit, days(1)) << "they say no limit, so they get the default";
  EXPECT_EQ(trace.no_limit, 2);
  EXPECT_EQ(trace.models.size(), 2U);
  std::int64_t dropped = 0;
  for (const auto& [reason, jobs] : trace.dropped) dropped += jobs;
  EXPECT_EQ(dropped, GetParam().dropped);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, EveryJobTrace,
    ::testing::Values(Case{"elasticflow", "elasticflow.csv", 0}, Case{"muri", "muri.csv", 0},
                      Case{"tiresias", "tiresias.csv", 0}, Case{"pollux", "pollux.csv", 0},
                      Case{"helios", "helios.csv", 2}, Case{"acme-seren", "seren.csv", 0},
                      Case{"acme-kalos", "kalos.csv", 0}, Case{"alibaba-2023", "openb.csv", 2},
                      Case{"alibaba-spot", "spot.csv", 0}, Case{"gavel", "seven.trace", 1},
                      Case{"gavel", "ten.trace", 0}, Case{"gavel", "twelve.trace", 0}),
    name_of);

TEST(JobTraces, AListOfRunTimesIsAJobOfOneGpuALine) {
  const JobTrace trace = read("run-times", fixture("run_times.csv"));
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[1].run_time, seconds(2000));
  EXPECT_EQ(trace.jobs[1].submit, seconds(0));
  EXPECT_EQ(trace.jobs[1].gpus, 1);
  EXPECT_EQ(trace.dropped.at("run time unknown or zero"), 1);
}

TEST(JobTraces, AQueueAndAUserStayWithTheJobAndAQueueCanStandForAPriority) {
  JobTraceOptions options;
  options.queue_priority = {{"vcB", 7}};
  const JobTrace trace = read("helios", fixture("helios.csv"), options);
  EXPECT_EQ(trace.jobs[0].user, "ua");
  EXPECT_EQ(trace.jobs[0].partition, "vcA");
  EXPECT_EQ(trace.jobs[0].priority, 0);
  EXPECT_EQ(trace.jobs[1].priority, 7);
}

TEST(JobTraces, WithoutThroughputsAGavelJobKeepsItsSteps) {
  const JobTrace trace = read("gavel", fixture("ten.trace"));
  EXPECT_EQ(trace.jobs[1].steps, 40000);
  EXPECT_EQ(trace.jobs[1].run_time, Seconds(0));
  EXPECT_EQ(trace.models[1], "LM (batch size 5)");
}

std::string refusal(const std::string& format, const std::string& content,
                    const JobTraceOptions& options = {}) {
  const testing::TemporaryFile file("trace", content);
  try {
    read(format, file.path(), options);
  } catch (const InputError& error) {
    const std::string text = error.what();
    const std::size_t at = text.find(file.path());
    return at == std::string::npos ? text : text.substr(at + file.path().size());
  }
  return "accepted";
}

const std::string kTiresiasHeader =
    "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n";

TEST(JobTraces, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(refusal("tiresias", "job_id,gpus\n1,2\n"),
            ":1: the first line must be "
            "job_id,num_gpu,submit_time,iterations,model_name,duration,interval");
  EXPECT_EQ(refusal("tiresias", kTiresiasHeader + "0,1,0,606,vgg19,164\n"),
            ":2: expected 7 columns, found 6 in '0,1,0,606,vgg19,164'");
  EXPECT_EQ(refusal("tiresias", kTiresiasHeader + "0,one,0,606,vgg19,164,30\n"),
            ":2: num_gpu: must be a number, got 'one'");
  EXPECT_EQ(refusal("tiresias", kTiresiasHeader + "0,1.5,0,606,vgg19,164,30\n"),
            ":2: num_gpu: must be a whole number of GPUs, got '1.5'");
  EXPECT_EQ(refusal("tiresias", kTiresiasHeader + "0,1,-5,606,vgg19,164,30\n"),
            ":2: submit_time: must not be negative, got '-5'");
  EXPECT_EQ(refusal("tiresias", kTiresiasHeader + "0,1,0,6,a,9,3\n0,1,0,6,a,9,3\n"),
            ":3: job number 0 is already on line 2");
  EXPECT_EQ(refusal("tiresias", kTiresiasHeader + "0,0,0,6,a,9,3\n"),
            ": holds no usable jobs; dropped: 1 with no GPU asked for");
}

TEST(JobTraces, WhatATraceLeavesOpenMustBeSaid) {
  JobTraceOptions options;
  options.run_times = {{"cifar10", seconds(1)}};
  EXPECT_EQ(
      refusal("pollux", "name,time,application,num_replicas,batch_size\na,1,cifar,1,8\n", options),
      ":2: application: 'run_times' does not say how long it runs; did you mean 'cifar10'?, "
      "got 'cifar'");
  EXPECT_EQ(refusal("gavel", "a\tb\tc\n"),
            ":1: expected 7, 10 or 12 columns with tabs between, found 3");
  EXPECT_EQ(refusal("gavel", "a\tb\tc\t1\tmany\t0\t4\n"),
            ":1: column 5: steps must be a number from 1 to 1e+12, got 'many'");
}

}  // namespace
}  // namespace trainyard
