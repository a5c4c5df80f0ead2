// Two jobs that need all GPUs for 100 s each take turns of 10 s: the first ends with its tenth
// turn, the nineteenth in all, and the second with the twentieth. A decision takes 1 ms.
#include "app/program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace trainyard::testing {
namespace {

double end_of(const std::string& jobs_csv, const std::string& name) {
  const std::size_t row = jobs_csv.find("\n" + name + ",");
  std::size_t at = row + 1;
  for (int column = 0; column < 10; ++column) at = jobs_csv.find(',', at) + 1;
  return std::strtod(jobs_csv.c_str() + at, nullptr);
}

TEST(GangRun, TwoJobsTakeTurnsOnTheSameGpus) {
  const Workplace workplace;
  workplace.write("e.yaml", R"(
platform: tiny.xml
workload:
  - jobs:
      - {name: a, gpus: 8, run_time: 99.9 s}
      - {name: b, gpus: 8, run_time: 99.9 s}
scheduler: {policy: gang, time_slice: 10 s}
)");
  const Outcome outcome = workplace.run({"run", "e.yaml", "-o", "results"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string jobs = workplace.read("results/jobs.csv");
  EXPECT_NEAR(end_of(jobs, "a"), 189.901, 1e-6) << jobs;
  EXPECT_NEAR(end_of(jobs, "b"), 199.802, 1e-6) << jobs;
}

}  // namespace
}  // namespace trainyard::testing
