// The Program of a plan: its operations, and how long a step takes when collectives are given
// times.
#include "play.hpp"
#include "workload/training_plan.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::collectives_of;
using testing::compute_time;
using ::testing::ElementsAre;
using testing::step_time;

TrainingPlan data_parallel() {
  TrainingPlan plan;
  plan.layers = 24;
  plan.forward = milliseconds(2);
  plan.backward = milliseconds(4);
  plan.gradient_per_layer = mebibytes(100);
  plan.all_reduce = "ring";
  return plan;
}

TrainingPlan tensor_parallel() {
  TrainingPlan plan = data_parallel();
  plan.tensor = 8;
  plan.tensor_message = mebibytes(64);
  return plan;
}

testing::CollectiveTime constant(Seconds tensor, Seconds data) {
  return
      [=](const Operation& operation) { return operation.group == Group::Tensor ? tensor : data; };
}

TEST(MakeProgram, WhenCommunicationDominatesAStepIsForwardOneBackwardLayerAndEveryAllReduce) {
  const TrainingPlan plan = data_parallel();
  const Seconds all_reduce = milliseconds(4.688);
  const Seconds expected = 24 * plan.forward + plan.backward + 24 * all_reduce;
  const Seconds step = step_time(make_program(plan, 64, 8), constant({}, all_reduce));
  EXPECT_NEAR(in_microseconds(step), in_microseconds(expected), 1e-6);
}

TEST(MakeProgram, WhenComputationDominatesOnlyTheLastAllReduceShows) {
  const TrainingPlan plan = data_parallel();
  const Seconds all_reduce = milliseconds(3);  // less than the backward time of a layer
  const Seconds expected = 24 * (plan.forward + plan.backward) + all_reduce;
  const Seconds step = step_time(make_program(plan, 64, 8), constant({}, all_reduce));
  EXPECT_NEAR(in_microseconds(step), in_microseconds(expected), 1e-6);
}

TEST(MakeProgram, TheOptimizerWaitsForTheLastAllReduce) {
  TrainingPlan plan = data_parallel();
  plan.optimizer = milliseconds(10);
  const Seconds expected =
      24 * plan.forward + plan.backward + 24 * milliseconds(5) + plan.optimizer;
  const Seconds step = step_time(make_program(plan, 64, 8), constant({}, milliseconds(5)));
  EXPECT_NEAR(in_microseconds(step), in_microseconds(expected), 1e-6);
}

TEST(MakeProgram, TheForwardPassAndTheFirstBackwardLayerAreOneComputation) {
  const TrainingPlan plan = data_parallel();
  const Program program = make_program(plan, 64, 8);
  ASSERT_EQ(program.operations.size(), 24U + 24U);  // one computation before each all-reduce
  EXPECT_EQ(program.operations[0].name, "forward_0..backward_23");
  EXPECT_NEAR(in_milliseconds(program.operations[0].duration), 24 * 2 + 4, 1e-9);
  EXPECT_EQ(program.operations[1].name, "gradients_23");
  EXPECT_THAT(program.operations[1].after, ElementsAre(0));
  EXPECT_EQ(program.operations[2].name, "backward_22");
  EXPECT_EQ(program.streams(), 3);  // compute, tensor (unused), data
}

TEST(MakeProgram, GradientsGoOneAtATimeFromTheLastLayerToTheFirst) {
  const std::vector<Operation> all_reduces =
      collectives_of(make_program(data_parallel(), 64, 8), Group::Data);
  ASSERT_EQ(all_reduces.size(), 24U);
  for (int i = 0; i < 24; ++i) {
    const Operation& each = all_reduces[static_cast<std::size_t>(i)];
    EXPECT_EQ(each.name, "gradients_" + std::to_string(23 - i));
    EXPECT_EQ(each.stream, 2);
    EXPECT_EQ(each.algorithm, "ring");
    EXPECT_EQ(each.size, mebibytes(100));
  }
}

TEST(MakeProgram, ABucketHoldsSeveralLayersAndTheLastOneTheRest) {
  TrainingPlan plan = data_parallel();
  plan.layers_per_bucket = 10;
  const std::vector<Operation> buckets = collectives_of(make_program(plan, 64, 8), Group::Data);
  ASSERT_EQ(buckets.size(), 3U);
  EXPECT_EQ(buckets[0].name, "gradients_23..14");
  EXPECT_EQ(buckets[0].size, 10 * mebibytes(100));
  EXPECT_EQ(buckets[2].name, "gradients_3..0");
  EXPECT_EQ(buckets[2].size, 4 * mebibytes(100));
}

TEST(MakeProgram, AJobOfOneGpuOnlyComputes) {
  TrainingPlan plan = data_parallel();
  plan.optimizer = milliseconds(1);
  const Program program = make_program(plan, 1, 8);
  ASSERT_EQ(program.operations.size(), 1U);
  EXPECT_NEAR(in_milliseconds(program.operations[0].duration), 24 * (2 + 4) + 1, 1e-9);
}

TEST(MakeProgram, TensorAllReducesBlockTheLayers) {
  const TrainingPlan plan = tensor_parallel();
  const Seconds tensor = milliseconds(0.5);
  const Program program = make_program(plan, 8, 8);  // one tensor group: no gradients to reduce
  EXPECT_TRUE(collectives_of(program, Group::Data).empty());
  EXPECT_EQ(collectives_of(program, Group::Tensor).size(), 24U * 2 * 2);
  const Seconds expected = 24 * (plan.forward + plan.backward) + 24 * 2 * 2 * tensor;
  EXPECT_NEAR(in_microseconds(step_time(program, constant(tensor, {}))), in_microseconds(expected),
              1e-6);
}

TEST(MakeProgram, TheComputationOfALayerIsSplitEquallyBetweenItsTensorAllReduces) {
  TrainingPlan plan = tensor_parallel();
  plan.tensor_all_reduces = 4;
  const Program program = make_program(plan, 64, 8);
  EXPECT_EQ(program.operations[0].name, "forward_0_0");
  EXPECT_NEAR(in_milliseconds(program.operations[0].duration), 2.0 / 4, 1e-12);
  EXPECT_EQ(program.operations[1].name, "forward_0_0_tensor");
  EXPECT_EQ(program.operations[1].stream, 1);
  EXPECT_THAT(program.operations[1].after, ElementsAre(0));
  EXPECT_THAT(program.operations[2].after, ElementsAre(1));
}

TEST(MakeProgram, AGradientIsReadyWhenItsLayerIsComputedNotWhenItsTensorGroupAgrees) {
  const Program program = make_program(tensor_parallel(), 64, 8);
  for (const Operation& gradients : collectives_of(program, Group::Data)) {
    ASSERT_EQ(gradients.after.size(), 1U);
    const Operation& cause = program.operations[static_cast<std::size_t>(gradients.after[0])];
    EXPECT_EQ(cause.kind, Operation::Kind::Compute);
    EXPECT_EQ(cause.name,
              "backward_" + gradients.name.substr(std::string("gradients_").size()) + "_1");
  }
}

TEST(MakeProgram, ANarrowerWidthMeansMoreWorkPerRankAndTheSameTensorMessages) {
  const TrainingPlan plan = tensor_parallel();
  const Program wide = make_program(plan, 64, 8);
  const Program narrow = make_program(plan, 60, 8);  // 6 divides 60, 7 and 8 do not
  const double growth = 8.0 / 6;
  EXPECT_NEAR(compute_time(narrow) / compute_time(wide), growth, 1e-12);
  EXPECT_EQ(collectives_of(narrow, Group::Data)[0].size, mebibytes(100) * 8 / 6);
  EXPECT_EQ(collectives_of(narrow, Group::Tensor)[0].size, mebibytes(64));
}

TEST(MakeProgram, ATensorGroupOfOneHasNoAllReduces) {
  const Program program = make_program(tensor_parallel(), 7, 4);  // a prime beyond the node
  EXPECT_TRUE(collectives_of(program, Group::Tensor).empty());
  EXPECT_NEAR(in_milliseconds(compute_time(program)), 8 * 24 * (2 + 4), 1e-9);
  EXPECT_EQ(collectives_of(program, Group::Data)[0].size, 8 * mebibytes(100));
}

TEST(MakeProgram, EveryPlanGivesAProgramThatCanBePlayed) {
  for (const int gpus : {1, 2, 7, 8, 12, 64})
    for (const int tensor : {1, 2, 8})
      for (const int per_bucket : {1, 5, 24}) {
        TrainingPlan plan = tensor_parallel();
        plan.tensor = tensor;
        plan.layers_per_bucket = per_bucket;
        const Program program = make_program(plan, gpus, 8);
        EXPECT_EQ(dependency_cycle(program), "");
        const double growth = static_cast<double>(tensor) / plan.tensor_width(gpus, 8);
        EXPECT_NEAR(in_milliseconds(compute_time(program)), growth * 24 * (2 + 4), 1e-9);
        for (const Operation& operation : program.operations)
          EXPECT_TRUE(operation.kind == Operation::Kind::Compute || operation.size > Bytes());
      }
}

}  // namespace
}  // namespace trainyard
