// Training plans as a user writes them, and the width a job's tensor groups get.
#include "workload/training_plan.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using ::testing::HasSubstr;

const std::string kMinimal =
    "layers: 24\nforward: 2 ms\nbackward: 4 ms\ngradient_per_layer: 100 MiB\n";

TrainingPlan read(const std::string& yaml) {
  Document document = Document::parse(yaml, "plan.yaml");
  Section root = document.root();
  return read_training_plan(root);
}

std::string error_in(const std::string& yaml) {
  try {
    read(yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReadTrainingPlan, NeedsFourValuesAndHasDefaultsForTheRest) {
  const TrainingPlan plan = read(kMinimal);
  EXPECT_EQ(plan.layers, 24);
  EXPECT_EQ(plan.forward, milliseconds(2));
  EXPECT_EQ(plan.backward, milliseconds(4));
  EXPECT_EQ(plan.gradient_per_layer, mebibytes(100));
  EXPECT_EQ(plan.optimizer, Seconds());
  EXPECT_EQ(plan.tensor, 1);
  EXPECT_EQ(plan.tensor_all_reduces, 2);
  EXPECT_EQ(plan.layers_per_bucket, 1);
  EXPECT_EQ(plan.all_reduce, "");
}

TEST(ReadTrainingPlan, ReadsEveryKey) {
  const TrainingPlan plan =
      read("name: gpt\n" + kMinimal +
           "optimizer: 1 ms\ntensor: 8\ntensor_all_reduces: 4\ntensor_message: 64 MiB\n"
           "layers_per_bucket: 3\nall_reduce: ring\n");
  EXPECT_EQ(plan.name, "gpt");
  EXPECT_EQ(plan.optimizer, milliseconds(1));
  EXPECT_EQ(plan.tensor, 8);
  EXPECT_EQ(plan.tensor_all_reduces, 4);
  EXPECT_EQ(plan.tensor_message, mebibytes(64));
  EXPECT_EQ(plan.layers_per_bucket, 3);
  EXPECT_EQ(plan.all_reduce, "ring");
}

TEST(ReadTrainingPlan, ATensorMessageIsNeededByTensorGroupsAndMeansNothingWithoutThem) {
  EXPECT_THAT(error_in(kMinimal + "tensor: 2\n"), HasSubstr("tensor_message"));
  EXPECT_EQ(read(kMinimal + "tensor: 1\ntensor_message: 64 MiB\n").tensor_message, Bytes());
}

TEST(ReadTrainingPlan, MayBeAProgramOfTheUsersOwn) {
  const TrainingPlan plan = read("name: own\ntensor: 2\noperations: [{name: a, compute: 1 ms}]\n");
  ASSERT_EQ(plan.custom.size(), 1U);
  EXPECT_EQ(plan.custom[0].name, "a");
  EXPECT_EQ(plan.tensor, 2);
}

TEST(ReadTrainingPlanErrors, NameThePlaceAndTheProblem) {
  EXPECT_EQ(error_in("layers: 2\nforward: 0 s\nbackward: 4 ms\ngradient_per_layer: 1 MiB\n"),
            "plan.yaml:2:10: forward: must be longer than zero");
  EXPECT_EQ(error_in(kMinimal + "layers_per_bucket: 25\n"),
            "plan.yaml:5:20: layers_per_bucket: is more than the 24 layers of the plan, got '25'");
  EXPECT_EQ(error_in(kMinimal + "gradients: 1 MiB\n"),
            "plan.yaml:5:1: gradients: unknown key; known: name, tensor, operations, layers, "
            "forward, backward, optimizer, tensor_all_reduces, tensor_message, "
            "gradient_per_layer, layers_per_bucket, all_reduce");
  EXPECT_THAT(error_in(kMinimal + "optimiser: 1 ms\n"), HasSubstr("did you mean 'optimizer'?"));
  EXPECT_THAT(error_in(kMinimal + "all_reduce: rnig\n"), HasSubstr("did you mean 'ring'?"));
  EXPECT_THAT(error_in(kMinimal + "tensor: 2000\n"), HasSubstr("tensor: must be at most 1024"));
  EXPECT_THAT(error_in(kMinimal + "tensor: 0\n"), HasSubstr("plan.yaml:5:9: tensor: "));
}

TEST(ReadTrainingPlanErrors, EveryQuantityMustBePositiveAndHaveAUnit) {
  for (const char* key : {"forward", "backward", "gradient_per_layer"})
    for (const char* value : {"-1 ms", "0 B", "5", "two ms", ""}) {
      std::string yaml = kMinimal;
      const std::size_t at =
          yaml.find("\n" + std::string(key) + ": ") + std::string(key).size() + 3;
      yaml.replace(at, yaml.find('\n', at) - at, value);
      EXPECT_THAT(error_in(yaml), HasSubstr(": " + std::string(key) + ": ")) << yaml;
    }
}

TEST(ReadTrainingPlanErrors, APlanIsEitherLayersOrOperations) {
  EXPECT_THAT(error_in(kMinimal + "operations: [{name: a, compute: 1 ms}]\n"),
              HasSubstr("plan.yaml:1:1: layers: unknown key"));
}

TEST(TensorWidth, IsTheLargestDivisorOfTheJobWithinTheRequestAndTheNode) {
  TrainingPlan plan;
  plan.tensor = 8;
  for (int gpus = 1; gpus <= 64; ++gpus)
    for (int node = 1; node <= 8; ++node) {
      const int width = plan.tensor_width(gpus, node);
      EXPECT_EQ(gpus % width, 0);
      EXPECT_LE(width, std::min(plan.tensor, node));
      for (int wider = width + 1; wider <= std::min(plan.tensor, node); ++wider)
        EXPECT_NE(gpus % wider, 0) << gpus << " GPUs could have width " << wider;
    }
  EXPECT_EQ(plan.tensor_width(12, 8), 6);
  EXPECT_EQ(plan.tensor_width(7, 4), 1);
}

TEST(PlanAtAnotherSize, KeepsTheGlobalBatch) {
  TrainingPlan plan;
  plan.forward = milliseconds(20);
  plan.backward = milliseconds(40);
  plan.optimizer = milliseconds(5);
  plan.tensor_message = mebibytes(64);
  plan.gradient_per_layer = mebibytes(100);
  const TrainingPlan larger = at_size(plan, 8, 32);
  EXPECT_DOUBLE_EQ(in_milliseconds(larger.forward), 20.0 * 8 / 32);
  EXPECT_DOUBLE_EQ(in_milliseconds(larger.backward), 40.0 * 8 / 32);
  EXPECT_EQ(larger.tensor_message, mebibytes(64 * 8 / 32));
  EXPECT_EQ(larger.optimizer, plan.optimizer);
  EXPECT_EQ(larger.gradient_per_layer, plan.gradient_per_layer);
  EXPECT_DOUBLE_EQ(in_milliseconds(at_size(plan, 8, 2).forward), 20.0 * 8 / 2);
}

}  // namespace
}  // namespace trainyard
