// The public traces themselves, where they are.
#include "unit/workload/files.hpp"
#include "workload/importers/jobs/registry.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

namespace trainyard {
namespace {

struct Case {
  const char* format;
  const char* file;
  std::size_t rows;  // of the file, without its header (counted with wc)
};

class RealJobTrace : public ::testing::TestWithParam<Case> {};

TEST_P(RealJobTrace, ReadsToTheLastRow) {
  const std::string folder = testing::reference_path("workload");
  const std::string file = folder + "/" + GetParam().file;
  TRAINYARD_NEEDS(file);
  JobTraceOptions options;
  options.throughputs = folder + "/gavel-simulation_throughputs.json";
  options.worker = "v100";
  for (const char* name : {"bert", "cifar10", "deepspeech2", "imagenet", "ncf", "yolov3"})
    options.run_times[name] = hours(1);
  for (const JobTraceFormat& format : job_trace_formats()) {
    if (format.name != std::string(GetParam().format)) continue;
    const JobTrace trace = format.read(file, options);
    std::size_t rows = trace.jobs.size();
    for (const auto& [reason, jobs] : trace.dropped) rows += static_cast<std::size_t>(jobs);
    EXPECT_EQ(rows, GetParam().rows);
    EXPECT_GT(trace.jobs.size(), rows / 2);
    for (const Job& job : trace.jobs) EXPECT_GT(job.run_time, Seconds(0));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Public, RealJobTrace,
    ::testing::Values(Case{"gavel", "gavel-debug.trace", 14},
                      Case{"gavel", "gavel-philly-103959.seed0.trace", 986},
                      Case{"gavel", "gavel-philly-2869ce.seed0.trace", 533},
                      Case{"gavel", "gavel-philly-51b7ef.seed0.trace", 18},
                      Case{"gavel", "shockwave-120.trace", 120},
                      Case{"elasticflow", "elasticflow-philly_103959.csv", 876},
                      Case{"muri", "muri-trace1.csv", 1494},
                      Case{"muri", "muri-job_type_3.csv", 992},
                      Case{"tiresias", "tiresias-60_job.csv", 60},
                      Case{"pollux", "pollux-workloads-realistic-workload-1.csv", 160},
                      Case{"pollux", "pollux-workloads-workload-4.csv", 160},
                      Case{"alibaba-2023", "alibaba2023.openb_pod_list_default.csv", 8152},
                      Case{"run-times", "philly_runtime.csv", 83154}));

}  // namespace
}  // namespace trainyard
