// Random streams: independent by name, the same on every machine.
#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace trainyard {
namespace {

std::vector<std::uint64_t> first_draws(RandomStream stream) {
  std::vector<std::uint64_t> draws(8);
  for (std::uint64_t& draw : draws) draw = stream.below(1'000'000);
  return draws;
}

TEST(RandomSource, GivesTheSameStreamForTheSameSeedAndName) {
  EXPECT_EQ(first_draws(RandomSource(7).stream("arrivals")),
            first_draws(RandomSource(7).stream("arrivals")));
}

TEST(RandomSource, GivesAnotherStreamForAnotherSeedOrName) {
  const auto arrivals = first_draws(RandomSource(7).stream("arrivals"));
  EXPECT_NE(arrivals, first_draws(RandomSource(7).stream("failures")));
  EXPECT_NE(arrivals, first_draws(RandomSource(8).stream("arrivals")));
}

TEST(RandomSource, DrawingFromOneStreamNeverMovesAnother) {
  const RandomSource source(7);
  RandomStream failures = source.stream("failures");
  const auto undisturbed = first_draws(source.stream("arrivals"));
  for (int i = 0; i < 1000; ++i) failures.uniform();
  EXPECT_EQ(first_draws(source.stream("arrivals")), undisturbed);
}

TEST(RandomSource, NeighbouringSeedsAndNamesAreUncorrelated) {
  RandomStream a = RandomSource(1).stream("node_1");
  RandomStream b = RandomSource(1).stream("node_2");
  constexpr int kDraws = 20000;
  double product = 0;
  for (int i = 0; i < kDraws; ++i) product += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  // The mean of a product of two independent uniforms: standard deviation 1/12 / sqrt(n).
  EXPECT_NEAR(product / kDraws, 0, 5 * (1.0 / 12) / std::sqrt(kDraws));
}

// splitmix64's reference implementation, seeded with 0, gives this as its first output.
TEST(Mix, IsSplitmix64) { EXPECT_EQ(mix(0), 0xe220a8397b1dcdafULL); }

// The standard fixes the engine: the 10000th draw of a default-seeded mt19937_64 is
// 9981545732273789042 (C++17, 29.6.5). Our reduction of its first draws must not change either.
TEST(RandomStream, NeverChangesItsOutputs) {
  std::mt19937_64 engine(std::mt19937_64::default_seed);
  engine.discard(9999);
  EXPECT_EQ(engine(), 9981545732273789042ULL);

  std::mt19937_64 reference(42);
  RandomStream stream(42);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(stream.uniform(), std::ldexp(static_cast<double>(reference() >> 11U), -53));
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
  RandomStream stream = RandomSource(3).stream("below");
  constexpr int kDraws = 60000;
  std::vector<int> counts(6);
  for (int i = 0; i < kDraws; ++i) ++counts.at(stream.below(6));
  const double deviation = std::sqrt(kDraws * (1.0 / 6) * (5.0 / 6));
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 6.0, 5 * deviation);
}

TEST(RandomStream, ExponentialAndNormalHaveTheirMoments) {
  RandomStream stream = RandomSource(3).stream("moments");
  constexpr int kDraws = 100000;
  double exponential = 0, normal = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double wait = stream.exponential(5);
    ASSERT_GE(wait, 0);
    exponential += wait;
    const double draw = stream.normal(2, 3);
    normal += draw;
    squares += (draw - 2) * (draw - 2);
  }
  const double root = std::sqrt(kDraws);
  EXPECT_NEAR(exponential / kDraws, 5, 5 * 5 / root);
  EXPECT_NEAR(normal / kDraws, 2, 5 * 3 / root);
  EXPECT_NEAR(squares / kDraws, 9, 5 * 9 * std::sqrt(2) / root);
}

}  // namespace
}  // namespace trainyard
