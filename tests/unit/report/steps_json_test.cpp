// steps.json: the ideal's parts and every cause, which sum to the step.
#include "small_run.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trainyard {
namespace {

using Json = nlohmann::json;

Json attempt_of(const std::vector<IterationRecord>& iterations) {
  EventLog log = small_log();
  log.iterations = iterations;
  log.steps = {{JobId(0), 0, {{"compute", 1.5}, {"tensor", 0.5}}}};
  return Json::parse(written(write_steps_json, small_platform(), log)).at(0);
}

IterationRecord iterations(std::int64_t steps, double contention, const std::string& rivals) {
  IterationRecord record;
  record.job = JobId(0);
  record.steps = steps;
  record.duration = seconds(2 + 0.25 + contention);
  record.slow_gpu = seconds(0.25);
  record.slow_gpu_name = "node0/gpu1";
  record.contention = seconds(contention);
  record.rivals = rivals;
  return record;
}

}  // namespace

TEST(StepsJson, WeighsIterationsByTheirSteps) {
  const Json attempt =
      attempt_of({iterations(3, 0.4, "beta 0.750; gamma 0.250"), iterations(1, 0, "")});
  EXPECT_EQ(attempt["steps"], 4);
  EXPECT_NEAR(attempt["causes"]["contention"]["s"], 0.3, 1e-12);
  EXPECT_NEAR(attempt["step_s"], 2.55, 1e-12);
  const Json& rivals = attempt["causes"]["contention"]["rivals"];
  ASSERT_EQ(rivals.size(), 2U);
  EXPECT_EQ(rivals[0]["job"], "beta");
  EXPECT_NEAR(rivals[0]["s"], 0.225, 1e-12);
  EXPECT_EQ(attempt["causes"]["slow_gpu"]["who"], "node0/gpu1");
}

TEST(StepsJson, PartsSumToTheStep) {
  const Json attempt = attempt_of({iterations(2, 0.1, "beta 1.000")});
  double sum = 0;
  for (const auto& part : attempt["ideal"].items()) sum += part.value().get<double>();
  for (const auto& cause : attempt["causes"].items()) sum += cause.value()["s"].get<double>();
  EXPECT_NEAR(sum, attempt["step_s"], 1e-12);
}

TEST(StepsJson, AnAttemptWithoutAStepHasNoMean) {
  const Json attempt = attempt_of({});
  EXPECT_EQ(attempt["steps"], 0);
  EXPECT_FALSE(attempt.contains("step_s"));
}

}  // namespace trainyard
