// Laws fitted to times that a law made, and to times that no law makes.
#include "study/validation/law_fit.hpp"

#include "study/validation/calibrate.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

CollectiveLaw truth() {
  CollectiveLaw law;
  law.base = microseconds(20);
  law.per_step = microseconds(3);
  law.fill = microseconds(40);
  law.efficiency = 0.8;
  return law;
}

// Sizes 1 MiB .. 1 GiB on 8 ranks at 100 GB/s, timed by a law.
std::vector<Sample> samples_of(const CollectiveLaw& law, int rounds = 14) {
  std::vector<Sample> samples;
  for (int power = 20; power <= 30; ++power) {
    Sample sample;
    sample.size = bytes(std::int64_t{1} << power);
    sample.known = {microseconds(rounds), rounds, sample.size / gigabytes_per_second(100)};
    sample.measured = law_time(law, sample.known.path, rounds, sample.known.wire);
    samples.push_back(sample);
  }
  return samples;
}

TEST(LawFit, FindsTheLawThatMadeTheTimes) {
  const CollectiveLaw fitted = fit_law(samples_of(truth()), microseconds(3));
  EXPECT_NEAR(in_microseconds(fitted.base), 20, 1e-6);
  EXPECT_NEAR(in_microseconds(fitted.per_step), 3, 1e-9) << "the assumed one: one depth tells none";
  EXPECT_NEAR(in_microseconds(fitted.fill), 40, 1e-5);
  EXPECT_NEAR(fitted.efficiency, 0.8, 1e-9);
}

TEST(LawFit, TellsStepsFromStartUpWhenRanksDiffer) {
  std::vector<Sample> samples = samples_of(truth(), 14);
  for (const Sample& sample : samples_of(truth(), 6)) samples.push_back(sample);
  const CollectiveLaw fitted = fit_law(samples, microseconds(99));
  EXPECT_NEAR(in_microseconds(fitted.base), 20, 1e-5);
  EXPECT_NEAR(in_microseconds(fitted.per_step), 3, 1e-6);
}

TEST(LawFit, IsNotMovedByOneWildMeasurement) {
  std::vector<Sample> samples = samples_of(truth());
  samples[9].measured = 1.8 * samples[9].measured;
  const CollectiveLaw fitted = fit_law(samples, microseconds(3));
  for (const Sample& sample : samples_of(truth()))
    EXPECT_NEAR(relative_error(fitted, sample), 0, 0.02);
}

TEST(LawFit, NeverRunsFasterThanTheLinks) {
  std::vector<Sample> samples = samples_of(truth());
  for (Sample& sample : samples) sample.measured = sample.measured / 3;
  const CollectiveLaw fitted = fit_law(samples, microseconds(3));
  EXPECT_EQ(fitted.efficiency, 1);
  EXPECT_GE(fitted.base, Seconds(0));
  EXPECT_GE(fitted.per_step, Seconds(0));
}

TEST(LawFit, GivesAStepLessTimeIfThereIsNone) {
  CollectiveLaw quick = truth();
  quick.base = Seconds(0);
  quick.per_step = microseconds(1);
  const CollectiveLaw fitted = fit_law(samples_of(quick), microseconds(3));
  EXPECT_NEAR(in_microseconds(fitted.per_step), 1, 1e-6);
  EXPECT_NEAR(in_microseconds(fitted.base), 0, 1e-6);
}

TEST(LawFit, LeavesOneOutWithoutErrorWhereALawIsExact) {
  const Errors errors = leave_one_out(samples_of(truth()), microseconds(3));
  EXPECT_EQ(errors.count, 11);
  EXPECT_LT(errors.max, 1e-6);
}

TEST(FitSizes, EveryOtherIsThePowersOfFour) {
  EXPECT_TRUE(takes_part(kibibytes(1), FitSizes::EveryOther));
  EXPECT_FALSE(takes_part(kibibytes(2), FitSizes::EveryOther));
  EXPECT_TRUE(takes_part(mebibytes(4), FitSizes::EveryOther));
  EXPECT_TRUE(takes_part(kibibytes(2), FitSizes::All));
}

}  // namespace
}  // namespace trainyard
