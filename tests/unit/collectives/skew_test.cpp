#include "collectives/skew.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard {
namespace {

TEST(SkewedSizes, GiveTheMostWantedRankThatManyTimesTheMeanAndLoseNothing) {
  for (const int n : {2, 3, 8, 64})
    for (const double skew : {1.0, 1.3, 1.9}) {
      const Bytes size = mebibytes(64) + bytes(5);
      const std::vector<Bytes> sizes =
          skewed_sizes(n, size, skew, RandomSource(0).stream("experts"));
      Bytes sum;
      for (const Bytes each : sizes) sum += each;
      EXPECT_EQ(sum, size);
      const Bytes largest = *std::max_element(sizes.begin(), sizes.end());
      const double mean = static_cast<double>(size.count()) / n;
      EXPECT_NEAR(static_cast<double>(largest.count()) / mean, skew, 1e-5) << n;
    }
}

TEST(SkewedSizes, AreTheSameForTheSameStreamAndOthersForAnother) {
  const auto named = [](const char* name) {
    return skewed_sizes(8, mebibytes(1), 1.5, RandomSource(0).stream(name));
  };
  EXPECT_EQ(named("a"), named("a"));
  EXPECT_NE(named("a"), named("b"));
}

}  // namespace
}  // namespace trainyard
