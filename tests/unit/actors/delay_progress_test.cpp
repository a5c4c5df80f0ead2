// A delay of parts, beside collectives that slow some of them down: by hand.
#include "actors/delay_progress.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

// Computing takes twice as long beside one collective, three times beside two.
class Dear final : public OverlapRule {
public:
  double slowdown(const DelayPart& part, const std::vector<int>& collectives) const override {
    return 1 + static_cast<double>(collectives.size()) * part.computing / part.seconds;
  }
};

// One second of computing, a collective of half a second, two of which one computes.
const std::vector<DelayPart> kParts = {{1, 1, 0, 0}, {0.5, 0, 0, 0}, {2, 1, 0, 0}};
const Dear kDear;
const std::vector<int> kNone, kOne = {0}, kTwo = {0, 1};

}  // namespace

TEST(DelayProgress, AloneItsPartsTakeTheirOwnTime) {
  EXPECT_DOUBLE_EQ(time_left(kParts, 1, 0, {kDear, kNone}), 3.5);
  EXPECT_DOUBLE_EQ(time_left(kParts, 1, 1.25, {kDear, kNone}), 2.25);
  EXPECT_DOUBLE_EQ(time_left(kParts, 2, 0, {kDear, kNone}), 7);
}

TEST(DelayProgress, OnlyComputingIsSlowedDown) {
  EXPECT_DOUBLE_EQ(time_left(kParts, 1, 0, {kDear, kOne}), 2 + 0.5 + 2 * 1.5);
  EXPECT_DOUBLE_EQ(time_left(kParts, 1, 0, {kDear, kTwo}), 3 + 0.5 + 2 * 2);
  EXPECT_DOUBLE_EQ(time_left(kParts, 1, 1.25, {kDear, kOne}), 0.25 + 3);
}

TEST(DelayProgress, WhatIsDoneCrossesParts) {
  // 2 s of the first part, 0.5 s of the second, 0.75 s of the third at 1.5 times its length.
  EXPECT_DOUBLE_EQ(done_after(kParts, 1, 0, 3.25, {kDear, kOne}), 1 + 0.5 + 0.5);
  EXPECT_DOUBLE_EQ(done_after(kParts, 1, 0.5, 0.5, {kDear, kOne}), 0.75);
  EXPECT_DOUBLE_EQ(done_after(kParts, 1, 3.4, 100, {kDear, kNone}), 3.5);
}

TEST(DelayProgress, InStepsIsAsInOneGo) {
  double done = 0;
  for (int i = 0; i < 10; ++i) done = done_after(kParts, 1, done, 0.3, {kDear, kOne});
  EXPECT_NEAR(done, done_after(kParts, 1, 0, 3, {kDear, kOne}), 1e-12);
}

}  // namespace trainyard
