// When a mean step counts as known.
#include "actors/settling.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {
namespace {

TEST(TaperedMean, OfEqualValuesIsTheirValue) {
  const std::vector<double> values(7, 2.5);
  EXPECT_NEAR(tapered_mean(values.data(), values.size()), 2.5, 1e-15);  // rounding
}

// A window that cuts a sine at any phase: the plain mean errs by amplitude / (pi x periods).
TEST(TaperedMean, OfASineErrsLessThanThePlainMean) {
  constexpr double kPeriods = 10.5;
  std::vector<double> values;
  double plain = 0;
  for (int i = 0; i < 210; ++i) {
    values.push_back(1 + std::sin(2 * M_PI * kPeriods * i / 210));
    plain += values.back() / 210;
  }
  EXPECT_GT(std::abs(plain - 1), 0.02);
  EXPECT_LT(std::abs(tapered_mean(values.data(), values.size()) - 1), 0.002);
}

TEST(Repeats, NeedsThreeStepsAndTheLastTwoEqual) {
  EXPECT_FALSE(repeats({2, 2}));
  EXPECT_TRUE(repeats({3, 2, 2}));
  EXPECT_FALSE(repeats({2, 2, 2.001}));
}

TEST(MeansAgree, OnlyAfterEnoughStepsThatDoNotDrift) {
  const std::vector<double> steady(kSettlingSteps, 1.0);
  EXPECT_TRUE(means_agree(steady, 1));
  EXPECT_FALSE(means_agree(std::vector<double>(kSettlingSteps - 1, 1.0), 1));
  std::vector<double> drifting;
  for (std::size_t i = 0; i < kSettlingSteps; ++i) drifting.push_back(1 + 1e-3 * double(i));
  EXPECT_FALSE(means_agree(drifting, 1.05));
}

}  // namespace
}  // namespace trainyard
