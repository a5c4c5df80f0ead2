// Who chooses the algorithms of a job's collectives, and that the result says so.
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace trainyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kRail = TRAINYARD_SOURCE_DIR "/platforms/dgx_h100_x32_rail.xml";

std::string jobs_on(const std::string& platform, const std::string& network, int jobs,
                    const std::string& all_reduce = "") {
  std::string text = "platform: " + platform + "\nnetwork: {" + network +
                     "}\nplans:\n  p: {layers: 4, forward: 1 ms, backward: 2 ms, "
                     "gradient_per_layer: 64 MiB, layers_per_bucket: 4" +
                     (all_reduce.empty() ? "" : ", all_reduce: " + all_reduce) +
                     "}\nscheduler: {policy: fifo}\ntime_compression: off\nworkload:\n  - jobs:\n";
  for (int job = 0; job < jobs; ++job)
    text += "    - {name: j" + std::to_string(job) + ", gpus: 32, plan: p, steps: 3}\n";
  return text;
}

TEST(Algorithms, AreNcclsOnAPlatformThatSaysItsGpuAndTheSummarySaysSo) {
  const Outcome tuned = run_experiment(jobs_on(kRail, "", 1));
  EXPECT_THAT(tuned.log.algorithms,
              ElementsAre("all_reduce: nvls_tree (NCCL's tuner), 256 MiB over 32 ranks"));
  const Outcome own = run_experiment(jobs_on(kRail, "algorithms: default", 1));
  EXPECT_THAT(own.log.algorithms,
              ElementsAre("all_reduce: two_level (default), 256 MiB over 32 ranks"));
  const Outcome named = run_experiment(jobs_on(kRail, "collectives: {all_reduce: ring}", 1));
  EXPECT_THAT(named.log.algorithms, ElementsAre("all_reduce: ring (named), 256 MiB over 32 ranks"));
  EXPECT_THAT(named.log.warnings, IsEmpty());
}

// A switch of each rail serves one reduction at a time: the second job does without until the
// first has ended.
TEST(Algorithms, OfAJobThatGetsNoAggregationTreeAreOthersAndItSaysSo) {
  const std::string platform =
      "{file: " + kRail + ", sharp_trees: 8}";  // the eight rails of one job may share a spine
  const Outcome alone = run_experiment(jobs_on(platform, "", 1, "sharp"));
  EXPECT_THAT(alone.log.warnings, IsEmpty());
  const std::string scarce = "{file: " + kRail + ", sharp_trees: 1}";
  const Outcome two = run_experiment(jobs_on(scarce, "", 2, "sharp"));
  EXPECT_EQ(two.exit_code, 0) << two.error;
  EXPECT_THAT(two.log.warnings, ::testing::Contains(HasSubstr(" has no aggregation tree left")));
  const Outcome none = run_experiment(jobs_on(kRail, "", 1, "sharp"));
  EXPECT_THAT(none.log.warnings,
              ElementsAre(HasSubstr("no switch of dgx_h100_x32_rail adds up: nvls_tree is used")));
}

TEST(Algorithms, ThatNeedSwitchesAreRefusedWhereTheModelHasNone) {
  const std::string simgrid = "model: simgrid";
  EXPECT_THAT(run_experiment(jobs_on(kRail, simgrid, 1, "nvls_tree")).error,
              HasSubstr("plan 'p' names 'nvls_tree': network model 'simgrid' has no switches"));
  EXPECT_THAT(
      run_experiment(jobs_on(kRail, simgrid + ", collectives: {all_reduce: sharp}", 1)).error,
      HasSubstr("network.collectives.all_reduce: 'sharp' cannot be played"));
}

TEST(Algorithms, ThatDoNotExistAreNamedWithTheirPlace) {
  EXPECT_THAT(
      run_experiment(jobs_on(kRail, "collectives: {all_reduce: rnig}", 1)).error,
      HasSubstr("network.collectives.all_reduce: unknown value 'rnig'; did you mean 'ring'?"));
  EXPECT_THAT(run_experiment(jobs_on(kRail, "collectives: {all_redcue: ring}", 1)).error,
              HasSubstr("did you mean 'all_reduce'?"));
}

// Everybody has the most for one rank, skew times the mean: its NIC is the last to be done.
TEST(AllToAll, ThatIsSkewedTakesAsLongAsItsMostWantedRank) {
  const double skew = 1.3, size = 4e9, nic = 50e9, compute = 1, n = 8;
  const Outcome run = run_experiment(
      "platform: " + switch_platform(8, 1) +
      "\nplans:\n  p: {operations: [{name: c, compute: 1 s}, {name: experts, all_to_all: 4 GB, "
      "skew: 1.3, after: [c]}]}\nworkload: [{jobs: [{name: j, gpus: 8, plan: p, steps: 10}]}]\n"
      "scheduler: {policy: fifo, placement: first_fit}\nnetwork: {algorithms: default}\n");
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NEAR(mean_step_of(run.log, "j"), compute + (n - 1) / n * skew * size / nic, 1e-4);
}

}  // namespace
}  // namespace trainyard
