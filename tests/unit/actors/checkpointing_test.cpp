// The checkpoint rule as arithmetic: what a stretch of training holds, against playing it step by
// step.
#include "actors/checkpointing.hpp"

#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {

namespace {

CheckpointRule every_steps(std::int64_t steps, double write_s) {
  CheckpointRule rule;
  rule.every_steps = steps;
  rule.write = seconds(write_s);
  return rule;
}

// One step after the other, a write as soon as it is due; stops when the next would not fit.
Stretch played(double time, double step, std::int64_t since, std::int64_t most,
               const CheckpointRule& rule) {
  Stretch stretch;
  const std::int64_t period = rule.enabled() ? rule.period(seconds(step)) : INT64_MAX;
  const double write = in_seconds(rule.write);
  while (true) {
    if (since >= period) {
      ++stretch.checkpoints;
      since = 0;
      time -= write;
    }
    if (stretch.steps == most || time < step) break;
    ++stretch.steps;
    ++since;
    time -= step;
  }
  stretch.steps_since = since;
  stretch.left = seconds(time);
  return stretch;
}

}  // namespace

TEST(CheckpointRule, ByTimeIsTheFirstWholeNumberOfStepsThatLastsAtLeastSoLong) {
  CheckpointRule rule;
  rule.every = seconds(61);
  EXPECT_EQ(rule.period(seconds(2)), 31);
  EXPECT_EQ(rule.period(seconds(61)), 1);
  EXPECT_EQ(rule.period(seconds(100)), 1);
  EXPECT_EQ(rule.period(seconds(6.1)), 10);  // not 11 for the last bit of 61 / 6.1
}

// Times are multiples of 1/8 s, exact in a double, so that "just fits" is not a matter of rounding.
TEST(TrainFor, IsWhatPlayingStepByStepComesTo) {
  RandomStream random = RandomSource(1).stream("stretch");
  for (int i = 0; i < 5000; ++i) {
    const double step = static_cast<double>(1 + random.below(40)) / 8;
    const auto rule = every_steps(static_cast<std::int64_t>(random.below(12)),
                                  static_cast<double>(random.below(30)) / 8);
    const std::int64_t since =
        rule.enabled() ? static_cast<std::int64_t>(
                             random.below(static_cast<std::uint64_t>(rule.every_steps) + 1))
                       : 0;
    const auto most = static_cast<std::int64_t>(random.below(200));
    const double time = static_cast<double>(random.below(4000)) / 8;
    const Stretch expected = played(time, step, since, most, rule);
    const Stretch actual = train_for(seconds(time), seconds(step), since, most, rule);
    // A write that time no longer allows may be left to the next stretch.
    EXPECT_LE(std::abs(static_cast<double>(actual.checkpoints - expected.checkpoints)), 1) << i;
    EXPECT_LE(std::abs(static_cast<double>(actual.steps - expected.steps)),
              std::ceil(in_seconds(rule.write) / step))
        << i;
    const double spent = static_cast<double>(actual.steps) * step +
                         static_cast<double>(actual.checkpoints) * in_seconds(rule.write);
    EXPECT_DOUBLE_EQ(in_seconds(actual.left), time - spent) << i;
    EXPECT_LE(actual.steps, most) << i;
  }
}

TEST(TrainFor, GivenTheTimeForSoManyStepsDoesThemAll) {
  for (const std::int64_t since : {0, 3, 7})
    for (std::int64_t steps = 0; steps < 60; ++steps) {
      const CheckpointRule rule = every_steps(7, 2.5);
      const Seconds time = time_for(steps, seconds(1.25), since, rule);
      const Stretch stretch = train_for(time, seconds(1.25), since, steps, rule);
      EXPECT_EQ(stretch.steps, steps);
      EXPECT_EQ(in_seconds(stretch.left), 0);
    }
}

}  // namespace trainyard
