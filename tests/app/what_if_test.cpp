// whatif: the loop again without one cause at a time, on numbers that can be computed by hand.
#include "app/refusal.hpp"

#include <gmock/gmock.h>

namespace trainyard::testing {
namespace {

using ::testing::HasSubstr;

// Ten steps of 100 ms on a GPU that is half as fast again; a rival holds the cluster for 5 s.
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

}  // namespace

TEST(WhatIf, SaysWhatEachCauseCosts) {
  const Workplace place;
  place.write("e.yaml", kSlowAndLate);
  const Outcome outcome = place.run({"whatif", "e.yaml", "--csv", "w.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("without slow GPUs"));
  const std::string csv = place.read("w.csv");
  // A step of 150 ms is one of 100 ms on even GPUs.
  EXPECT_THAT(csv, HasSubstr("\nslow,slow GPUs,0.1,0.05,"));
  // Alone, the job does not wait 5 s and a decision of 1 ms for the other.
  EXPECT_THAT(csv, HasSubstr("\nslow,other jobs,0.15,0,1.501,5.00"));
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
