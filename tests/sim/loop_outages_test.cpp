// When nodes are down: random failures do not depend on the jobs, and listed ones do not add up.
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

// Failures come from each node's own stream.
TEST(Failures, DoNotMoveWhenAJobIsAdded) {
  const std::string head = "platform: " + switch_platform(4, 2) + "\nworkload:\n- jobs:\n";
  const std::string jobs = "  - {name: a, gpus: 4, run_time: 20000 s}\n";
  const std::string more = "  - {name: b, gpus: 4, run_time: 20000 s, submit: 77 s}\n";
  const std::string tail =
      "failures: {node: {mtbf: 9000 s, repair: 10 min}}\ncheckpoint: {every: 10 min}\nseed: 5\n";
  const auto runs = run_experiments({head + jobs + tail, head + jobs + more + tail});
  ASSERT_EQ(runs[0].exit_code + runs[1].exit_code, 0) << runs[0].error << runs[1].error;
  std::map<std::pair<std::int32_t, double>, int> seen;
  const Seconds both = std::min(runs[0].log.end, runs[1].log.end) - minutes(10);
  int outages = 0;
  for (const Outcome& run : runs)
    for (const OutageRecord& outage : run.log.outages)
      if (outage.down < both) ++seen[{outage.node.value(), std::round(in_seconds(outage.down))}];
  for (const auto& [where, times] : seen) {
    EXPECT_EQ(times, 2) << "node " << where.first << " at " << where.second;
    ++outages;
  }
  EXPECT_GT(outages, 5);
  for (const Outcome& run : runs)
    for (const OutageRecord& outage : run.log.outages) {
      if (outage.up >= run.log.end) continue;
      EXPECT_NEAR(in_seconds(outage.up - outage.down), 600, 2e-3);  // heard of within 1 ms
    }
}

// Overlapping entries of the list: the node is back when the first repair is over, and only then
// may it fail again.
TEST(Failures, OfANodeThatIsDownAreNothingNew) {
  const Outcome run = run_experiment("platform: " + switch_platform(1, 1) + R"(
workload: [{jobs: [{name: a, gpus: 1, run_time: 300 s}]}]
failures:
  list:
  - {node: node0, at: 10 s, repair: 100 s}
  - {node: node0, at: 50 s, repair: 100 s}
  - {node: node0, at: 140 s, repair: 100 s}
)");
  ASSERT_EQ(run.exit_code, 0) << run.error;
  ASSERT_EQ(run.log.outages.size(), 2U);
  EXPECT_NEAR(in_seconds(run.log.outages[0].up), 110, 2e-3);
  EXPECT_NEAR(in_seconds(run.log.outages[1].down), 140, 2e-3);
  EXPECT_NEAR(in_seconds(run.log.outages[1].up), 240, 2e-3);  // not 150
}

}  // namespace trainyard
