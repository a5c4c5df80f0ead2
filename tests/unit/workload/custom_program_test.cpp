// A plan that is the user's own Program.
#include "workload/training_plan.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using ::testing::ElementsAre;

TEST(CustomProgram, IsPlayedAsItStands) {
  TrainingPlan plan;
  Operation first, second;
  first.name = "a";
  second.name = "b";
  first.duration = second.duration = seconds(1);
  plan.custom = {first, second};
  EXPECT_EQ(make_program(plan, 8, 8).operations.size(), 2U);
}

TEST(CustomProgram, LosesTheCollectivesOfOneRank) {
  TrainingPlan plan;
  Operation compute, sum, rest;
  compute.name = "compute";
  compute.duration = seconds(1);
  sum.name = "sum";
  sum.kind = Operation::Kind::Communicate;
  sum.group = Group::Tensor;
  sum.stream = 1;
  sum.size = mebibytes(1);
  sum.after = {0};
  rest = compute;
  rest.stream = 2;
  rest.after = {1};
  plan.custom = {compute, sum, rest};
  const Program program = make_program(plan, 8, 8);  // tensor: 1
  ASSERT_EQ(program.operations.size(), 2U);
  EXPECT_THAT(program.operations[1].after, ElementsAre(0));
  plan.tensor = 2;
  EXPECT_EQ(make_program(plan, 8, 8).operations.size(), 3U);
}

}  // namespace
}  // namespace trainyard
