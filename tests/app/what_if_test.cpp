// whatif: the loop again without one cause at a time, on numbers that can be computed by hand.
#include "app/refusal.hpp"

#include <gmock/gmock.h>
#include <sstream>

namespace trainyard::testing {
namespace {

using ::testing::HasSubstr;

// Ten steps of 100 ms, one GPU computing half as long again; before them a rival holds the cluster
// for what is 5 s on even GPUs.
const char* const kSlowAndLate = R"(
platform: tiny.xml
plans:
  p: {operations: [{name: x, compute: 100 ms}]}
workload:
  - jobs:
      - {name: first, gpus: 8, run_time: 5 s}
      - {name: slow, gpus: 8, plan: p, steps: 10}
scheduler: {policy: fifo}
slow: {gpus: [{gpu: node0/gpu1, factor: 1.5}]}
)";

// The row's step and what is saved of it, its time from submission to end and what is saved of
// that.
void expect_saved(const std::string& csv, const std::string& row,
                  const std::vector<double>& expected) {
  const std::size_t begin = csv.find("\n" + row + ",");
  ASSERT_NE(begin, std::string::npos) << csv;
  std::istringstream cells(csv.substr(begin + row.size() + 2));
  for (const double value : expected) {
    std::string cell;
    std::getline(cells, cell, ',');
    EXPECT_NEAR(std::stod(cell), value, 1e-9) << row;
  }
}

}  // namespace

TEST(WhatIf, SaysWhatEachCauseCosts) {
  const Workplace place;
  place.write("e.yaml", kSlowAndLate);
  const Outcome outcome = place.run({"whatif", "e.yaml", "--csv", "w.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("without slow GPUs"));
  // A step of 150 ms is one of 100 ms on even GPUs; before it, the other job's 7.5 s are 5 s.
  expect_saved(place.read("w.csv"), "slow,slow GPUs", {0.1, 0.05, 6.002, 2.5 + 10 * 0.05});
  // Alone, the job waits for nobody: 7.5 s and the decision after them.
  expect_saved(place.read("w.csv"), "slow,other jobs", {0.15, 0, 1.501, 7.501});
}

TEST(WhatIf, AsksAboutOneExperimentAndItsJobs) {
  const Workplace place;
  place.write("e.yaml", kSlowAndLate);
  place.write("s.yaml", std::string(kSlowAndLate) + "sweep: {seed: [1, 2]}\n");
  EXPECT_EQ(place.run({"whatif", "s.yaml"}).code, 2);
  const Outcome outcome = place.run({"whatif", "e.yaml", "--job", "slw"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean 'slow'?"));
  EXPECT_EQ(outcome.out, "");
}

}  // namespace trainyard::testing
