// The shipped models have as many parameters as their authors say.
#include "../files.hpp"
#include "workload/models/parameters.hpp"
#include "workload/training_plan.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace trainyard {
namespace {

struct Published {
  const char* file;
  double parameters;
  double within;  // relative: how exactly they are published
};
const Published kPublished[] = {
    {"gpt3_175b", 175.0e9, 0.003},  // the paper rounds to half a billion
    {"megatron_22b", 22e9, 0.005},       {"megatron_175b", 174.6e9, 0.0005},
    {"megatron_530b", 529.6e9, 0.0005},  {"megatron_1t", 1008.0e9, 0.0005},
    {"llama2_70b", 68'976'648'192, 0},   {"llama3_1_8b", 8'030'261'248, 0},
    {"llama3_1_70b", 70'553'706'496, 0}, {"llama3_1_405b", 405'853'388'800, 0},
    {"mixtral_8x7b", 46.7e9, 0.0005},    {"deepseek_v3", 671e9, 0.0005},
};

ModelSpec named(const std::string& name) {
  return load_model_spec(testing::source_path("experiments/models/" + name + ".yaml"));
}

TEST(NamedModels, HaveThePublishedNumberOfParameters) {
  for (const Published& each : kPublished) {
    const ModelSpec model = named(each.file);
    EXPECT_EQ(model.name, each.file);
    const auto count = static_cast<double>(model_parameters(model, model.vocabulary).total());
    EXPECT_NEAR(count, each.parameters, each.within * each.parameters) << each.file;
  }
}

TEST(NamedModels, AreAllHeldAgainstTheirAuthors) {
  std::set<std::string> known;
  for (const Published& each : kPublished) known.insert(each.file);
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::source_path("experiments/models")))
    if (entry.path().extension() == ".yaml") {
      EXPECT_EQ(known.count(entry.path().stem().string()), 1U) << entry.path();
    }
}

TEST(NamedModels, WithExpertsUseAsManyParametersForATokenAsPublished) {
  const auto billions = [](const char* name) {
    return static_cast<double>(active_parameters(named(name))) / 1e9;
  };
  EXPECT_NEAR(billions("mixtral_8x7b"), 12.9, 0.05);
  EXPECT_NEAR(billions("deepseek_v3"), 37, 0.6);
}

TEST(ResNet50, IsAFlatPlanThatReducesAllOfItsParameters) {
  Document document =
      Document::load(testing::source_path("experiments/plans/resnet50_ddp_a100.yaml"));
  Section root = document.root();
  const Program program = make_program(read_training_plan(root), 8, 8);
  std::int64_t gradients = 0;
  double computed = 0;
  for (const Operation& operation : program.operations) {
    computed += operation.duration.si();
    if (operation.kind == Operation::Kind::Communicate) gradients += operation.size.count();
  }
  EXPECT_EQ(gradients, 4LL * 25'557'032);
  EXPECT_NEAR(computed, 256 / 2600.0, 1e-4);
}

}  // namespace
}  // namespace trainyard
