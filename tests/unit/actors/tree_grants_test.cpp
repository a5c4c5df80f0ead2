// Aggregation trees go to whole jobs, and come back with their ends.
#include "actors/tree_grants.hpp"

#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using ::testing::HasSubstr;

// Four nodes of two GPUs on one switch that serves `trees` reductions.
struct World {
  explicit World(const std::string& trees)
      : platform(testing::build(testing::with(
            testing::with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}},
                          testing::nvlink_nodes(4, 2)),
            {{"gpu", "A100"}, {"network", "infiniband"}, {"sharp_trees", trees}}))),
        routing(make_routing(platform, {})) {
    machine.platform = &platform;
    machine.routing = routing.get();
    machine.capacities = nominal_capacities(platform);
    machine.gpu_slowdown.assign(platform.gpus.size(), 1.0);
    machine.algorithms.named[CollectiveKind::AllReduce] = "sharp";
  }

  // Two buckets over two nodes each: one communicator of two rails.
  StepModel job_on(int first_gpu, const std::string& no_trees = "") const {
    Program program;
    for (int bucket = 0; bucket < 2; ++bucket) {
      Operation operation;
      operation.kind = Operation::Kind::Communicate;
      operation.size = mebibytes(100);
      program.operations.push_back(operation);
    }
    Allocation allocation;
    for (int i = 0; i < 4; ++i) allocation.gpus.emplace_back(first_gpu + i);
    StepModelOptions options;
    options.no_trees = no_trees;
    return make_step_model(program, allocation, options, machine);
  }

  Platform platform;
  std::unique_ptr<Routing> routing;
  Machine machine;
};

TEST(TreeGrants, AreATreeForEachRailOfACommunicatorWhateverItsCollectives) {
  const World enough("4"), scarce("3");
  TreeGrants granted(enough.machine), short_of_one(scarce.machine);
  EXPECT_TRUE(granted.take(JobId(0), enough.job_on(0)));
  EXPECT_TRUE(granted.take(JobId(1), enough.job_on(4)));
  EXPECT_TRUE(short_of_one.take(JobId(0), scarce.job_on(0)));
  EXPECT_FALSE(short_of_one.take(JobId(1), scarce.job_on(4)));
}

TEST(TreeGrants, OfAJobThatIsRefusedAreNoneAndItSaysWhy) {
  const World world("3");
  TreeGrants grants(world.machine);
  grants.take(JobId(0), world.job_on(0));
  grants.take(JobId(1), world.job_on(4));
  EXPECT_EQ(grants.why_none(JobId(0)), "");
  EXPECT_THAT(grants.why_none(JobId(1)), HasSubstr(" has no aggregation tree left"));
  const StepModel without = world.job_on(4, grants.why_none(JobId(1)));
  for (const Channel& channel : without.channels)
    EXPECT_STRNE(channel.spec->algorithm->name, "sharp");
  ASSERT_EQ(without.notes.size(), 1U);
  EXPECT_THAT(without.notes[0], HasSubstr("sharp cannot be played: "));
}

TEST(TreeGrants, ComeBackWithTheEndOfTheAttempt) {
  const World world("2");
  TreeGrants grants(world.machine);
  EXPECT_TRUE(grants.take(JobId(0), world.job_on(0)));
  EXPECT_FALSE(grants.take(JobId(1), world.job_on(4)));
  grants.give_back(JobId(1));  // its attempt without trees ends first
  grants.give_back(JobId(0));
  EXPECT_TRUE(grants.take(JobId(1), world.job_on(4)));
  EXPECT_EQ(grants.why_none(JobId(1)), "");
}

}  // namespace
}  // namespace trainyard
