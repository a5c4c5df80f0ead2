// Adaptive routing in whole runs.
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <string>

namespace trainyard {
namespace {

// Two jobs of unequal periods, drawn at random over a fat-tree of 2:1: they share its uplinks.
std::string two_jobs(const std::string& more) {
  return "platform: " + std::string(TRAINYARD_SOURCE_DIR) +
         "/platforms/fat_tree_2to1_x64.xml\n"
         "plans:\n"
         "  a: {operations: [{name: c, compute: 1 s}, {name: t, all_reduce: 20 GB, algorithm: "
         "ring, after: [c]}]}\n"
         "  b: {operations: [{name: c, compute: 1.37 s}, {name: t, all_reduce: 30 GB, algorithm: "
         "ring, after: [c]}]}\n"
         "workload: [{jobs: [{name: a, gpus: 128, plan: a, steps: 3000}, {name: b, gpus: 128, "
         "plan: b, steps: 2000}]}]\n"
         "scheduler: {policy: fifo, placement: random}\n" +
         more;
}

// Both rings cross the same uplinks; alone or together, what is sprayed evenly is as good as can
// be.
TEST(AdaptiveRuns, EqualSprayedOnesInASymmetricFabricAndMoveTheSameBytes) {
  const std::vector<Outcome> runs =
      run_experiments({two_jobs("network: {routing: spray, algorithms: default}\n"),
                       two_jobs("network: {routing: adaptive, algorithms: default}\n")});
  double bytes[2] = {0, 0};
  for (const int i : {0, 1}) {
    ASSERT_EQ(runs[static_cast<std::size_t>(i)].exit_code, 0);
    for (const LinkRecord& link : runs[static_cast<std::size_t>(i)].log.links)
      bytes[i] += link.bytes;
  }
  EXPECT_NEAR(bytes[1], bytes[0], 1e-6 * bytes[0]);
  for (const char* job : {"a", "b"}) {
    const double sprayed = mean_step_of(runs[0].log, job);
    EXPECT_LE(mean_step_of(runs[1].log, job), sprayed * 1.001);
  }
}

}  // namespace
}  // namespace trainyard
