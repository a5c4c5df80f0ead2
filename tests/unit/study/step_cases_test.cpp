// Measured steps as case files: reading, converting, comparing.
#include "base/error.hpp"
#include "study/step_cases/step_fit.hpp"
#include "study/step_cases/step_report.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kHead =
    "set: test\nsource: made up\ngroups:\n"
    "  - platform: " +
    std::string(TRAINYARD_SOURCE_DIR) +
    "/platforms/dgx_a100_x1.xml\n"
    "    model: {name: small, layers: 4, hidden: 1024, heads: 16, vocabulary: 1024, sequence: "
    "512}\n"
    "    gpus: 8\n"
    "    layout: {tensor: 2, global_batch: 16}\n"
    "    cases:\n";

StepCases cases_of(const std::string& rows) {
  const std::string file = scratch_path("steps.yaml");
  std::ofstream(file) << kHead << rows;
  return read_step_cases(file);
}

std::string refusal(const std::string& rows) {
  try {
    cases_of(rows);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(StepCases, TakeFromTheirGroupWhatTheyDoNotSay) {
  const StepCases read = cases_of(
      "      - {name: a, role: calibrate, step: 10 ms}\n"
      "      - {name: b, layout: {tensor: 4}, step: 20 ms, band: 0.05, relative_to: a}\n");
  ASSERT_EQ(read.cases.size(), 2U);
  const StepCase& a = read.cases[0];
  const StepCase& b = read.cases[1];
  EXPECT_EQ(a.series, "small");
  EXPECT_EQ(a.layout.tensor, 2);
  EXPECT_EQ(a.role, CaseRole::Calibrate);
  EXPECT_EQ(b.layout.tensor, 4);
  EXPECT_EQ(b.layout.global_batch, 16);
  EXPECT_EQ(b.role, CaseRole::Predict);
  EXPECT_EQ(b.relative_to, 0);
  EXPECT_EQ(b.measured, milliseconds(20));
}

TEST(StepCases, MayStateTokensOrFlopsInsteadOfTheStep) {
  const StepCases read = cases_of(
      "      - {name: a, tokens_per_gpu: 1000}\n"
      "      - {name: b, tflops_per_gpu: 100}\n");
  const double tokens = 16.0 * 512 / 8;  // of a GPU in a step
  EXPECT_DOUBLE_EQ(in_seconds(read.cases[0].measured), tokens / 1000);
  // Four layers of 12 h^2 weights and 2 h of norms, the last norm, the vocabulary's matrix;
  // attention.
  const double h = 1024, passed = 4 * (12 * h * h + 2 * h) + h + 1024 * h;
  const double flops = 6 * passed + 12 * 4 * h * 512;
  EXPECT_NEAR(in_seconds(read.cases[1].measured), tokens * flops / 100e12, 1e-12);
}

TEST(StepCases, SayWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal("      - {name: a, step: 1 ms, tokens_per_gpu: 3}\n"),
              HasSubstr(":9:9: groups[0].cases[0]: needs one of step, tokens_per_gpu and "
                        "tflops_per_gpu, has 2"));
  EXPECT_THAT(refusal("      - {name: a, step: 1}\n"), HasSubstr(":9:"));
  EXPECT_THAT(refusal("      - {name: a, step: 1 ms, rloe: predict}\n"),
              HasSubstr("unknown key; did you mean 'role'?"));
  EXPECT_THAT(refusal("      - {name: a, step: 1 ms}\n      - {name: a, step: 1 ms}\n"),
              HasSubstr(":10:16: groups[0].cases[1].name: 'a' is there twice"));
  EXPECT_THAT(refusal("      - {name: a, step: 1 ms, relative_to: b}\n"),
              HasSubstr("unknown case 'b' (it must stand before this one)"));
  EXPECT_THAT(refusal("      - {name: a, layout: {tensr: 2}, step: 1 ms}\n"),
              HasSubstr("unknown key; did you mean 'tensor'?"));
}

TEST(StepPredictor, CountsALayersKernelsOnOneGpuInSeries) {
  StepCases read = cases_of(
      "      - {name: a, gpus: 1, layout: {tensor: 1, global_batch: 1}, step: 1 s}\n"
      "      - {name: b, step: 1 s}\n");
  StepPredictor predictor;
  Efficiency twice = usual_efficiency("A100");
  const Seconds usual = predictor.predict(read.cases[0], twice);
  twice.gemm /= 2;
  twice.attention /= 2;
  twice.hbm /= 2;
  twice.kernel = 2 * twice.kernel;
  EXPECT_NEAR(predictor.predict(read.cases[0], twice) / usual, 2, 1e-9);
}

// Steps made with other efficiencies than the usual ones are what the fit finds.
TEST(StepFit, FindsTheEfficiencyThatMadeTheSteps) {
  StepCases read = cases_of(
      "      - {name: a, role: calibrate, layout: {micro_batch: 4}, step: 1 s}\n"
      "      - {name: b, role: calibrate, layout: {tensor: 1, micro_batch: 2}, step: 1 s}\n"
      "      - {name: c, role: calibrate, layout: {tensor: 8, micro_batch: 16}, step: 1 s}\n");
  Efficiency hidden = usual_efficiency("A100");
  hidden.gemm = 0.61;
  hidden.hbm = 0.7;
  StepPredictor predictor;
  for (StepCase& one : read.cases) one.measured = predictor.predict(one, hidden);
  const StepFit fit = fit_steps(read, predictor);
  EXPECT_NEAR(fit.efficiency.gemm, hidden.gemm, 0.01);
  EXPECT_NEAR(fit.efficiency.hbm, hidden.hbm, 0.01);
  EXPECT_EQ(fit.efficiency.attention, hidden.attention);
  EXPECT_EQ(fit.efficiency.label, "calibrated");
  EXPECT_LT(fit.efficiency.loo_max, 0.01);
  EXPECT_THAT(fit.efficiency.range, HasSubstr("small on 8 GPUs"));
}

TEST(StepFit, NeedsRowsToCalibrateOn) {
  StepPredictor predictor;
  EXPECT_THROW(fit_steps(cases_of("      - {name: a, step: 1 ms}\n"), predictor), InputError);
}

TEST(Spearman, IsOneForTheSameOrderAndSharesRanksOfTies) {
  EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {10, 20, 21, 500}), 1);
  EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  // Without ties 1 - 6 sum d^2 / (n (n^2 - 1)): one exchange of neighbours among four.
  EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {1, 3, 2, 4}), 1 - 6.0 * 2 / (4 * 15));
  EXPECT_DOUBLE_EQ(spearman({1, 1}, {1, 2}), 0);  // one of them has no order at all
}

TEST(StepReport, JudgesCasesRatiosAndSeries) {
  StepCases read = cases_of(
      "      - {name: a, step: 1 s, band: 0.1}\n"
      "      - {name: b, layout: {micro_batch: 2}, step: 1 s, band: 0.1}\n"
      "      - {name: c, layout: {micro_batch: 2}, step: 1 s, band: 0.01, relative_to: a}\n");
  read.bands.series_mean = 0.1;
  StepPredictor predictor;
  const Seconds a = predictor.predict(read.cases[0], usual_efficiency("A100"));
  const Seconds b = predictor.predict(read.cases[1], usual_efficiency("A100"));
  read.cases[0].measured = a / 1.05;
  read.cases[1].measured = b / 1.2;
  read.cases[2].measured = read.cases[0].measured * (b / a);
  const std::vector<KnownMiss> misses = {{"b", "step", "assumed", 0.2, 0.2, "because"}};
  const StepReport report = compare_steps(read, misses, predictor);
  ASSERT_EQ(report.verdicts.size(), 4U);
  EXPECT_EQ(report.verdicts[0].verdict, "ok");
  EXPECT_NEAR(report.verdicts[0].error, 0.05, 1e-9);
  EXPECT_EQ(report.verdicts[1].verdict, "known miss");
  EXPECT_EQ(report.verdicts[2].verdict, "ok");
  EXPECT_NEAR(report.verdicts[2].error, 0, 1e-9);
  EXPECT_EQ(report.verdicts[3].region, "mean");
  EXPECT_NEAR(report.verdicts[3].error, (0.05 + 0.2 + 0) / 3, 1e-9);
}

TEST(StepCasesShipped, AreReadAndNameWhatIsThere) {
  int files = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TRAINYARD_SOURCE_DIR) / "experiments/validation/steps")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const StepCases read = read_step_cases(entry.path().string());
    if (!read.efficiency.empty()) {
      EXPECT_FALSE(read_efficiencies(read.efficiency).empty()) << entry.path();
    }
    if (!read.misses.empty()) {
      EXPECT_FALSE(read_known_misses(read.misses).empty()) << entry.path();
    }
    for (const StepCase& one : read.cases) EXPECT_TRUE(fs::exists(one.platform)) << one.name;
  }
  EXPECT_GE(files, 4);
}

TEST(StepCasesShipped, MegatronsSmallestRowsAreWithinTheirBand) {
  const StepCases read = read_step_cases(std::string(TRAINYARD_SOURCE_DIR) +
                                         "/experiments/validation/steps/megatron.yaml");
  const Efficiency fitted = read_efficiencies(read.efficiency).front();
  StepPredictor predictor;
  for (const StepCase& one : read.cases) {
    if (one.gpus > 8) continue;
    EXPECT_NEAR(predictor.predict(one, fitted) / one.measured, 1, one.band) << one.name;
  }
}

}  // namespace
}  // namespace trainyard
