// Hash collisions against the multinomial: n flows thrown on n equal uplinks, each able to fill
// one.
//
// Without an engine: Fluid and lowering alone, so that hundreds of seeds fit into one test.

#include "network/network.hpp"
#include "sim/physics_fabrics.hpp"
#include "support/collective_timing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace trainyard {
namespace {

using namespace testing;

constexpr int kSeeds = 1000;

// The probability that no bin holds more than `most` of `balls` thrown on `bins`:
// balls!/bins^balls times the coefficient of x^balls in (1 + x + ... + x^most/most!)^bins.
double no_bin_above(int most, int balls, int bins) {
  std::vector<double> coefficient(static_cast<std::size_t>(balls) + 1);
  coefficient[0] = 1;
  for (int bin = 0; bin < bins; ++bin)
    for (int b = balls; b >= 0; --b) {
      double sum = 0, factor = 1;  // 1/(j! bins^j)
      for (int j = 0; j <= std::min(most, b); factor /= ++j * static_cast<double>(bins))
        sum += factor * coefficient[static_cast<std::size_t>(b - j)];
      coefficient[static_cast<std::size_t>(b)] = sum;
    }
  return coefficient.back() * std::tgamma(balls + 1.0);
}

double expected_largest_bin(int balls, int bins) {
  double expected = 0;
  for (int most = 0; most < balls; ++most) expected += 1 - no_bin_above(most, balls, bins);
  return expected;
}

struct Sample {
  double mean, half_width;  // of the confidence interval at 99 %
};

template <typename Measure>
Sample over_seeds(const Measure& measure) {
  double sum = 0, squares = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const double x = measure(static_cast<std::uint64_t>(seed));
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kSeeds;
  const double variance = (squares - sum * mean) / (kSeeds - 1);
  return {mean, 2.576 * std::sqrt(variance / kSeeds)};
}

Phase one_message(Bytes size) { return {std::vector<Edge>{{Rank{0}, Rank{1}, size}}, 1}; }

struct Nobody final : Listener {
  void completed(std::int64_t) override {}
};

// The rate of n flows from the hosts of one leaf to those of the other, in units of a full
// bisection.
double aggregate_rate(const Platform& platform, int n, std::uint64_t seed) {
  const auto routing = make_routing(platform, {RoutingPolicy::Ecmp, 1, seed});
  Fluid fluid(nominal_capacities(platform), platform);
  Nobody nobody;
  for (int i = 0; i < n; ++i) {
    FlowGroup group =
        lower({one_message(gibibytes(1))}, {{GpuId(i), GpuId(n + i)}}, platform, *routing);
    group.latency = Seconds(0);
    const auto pattern = fluid.add_pattern(std::make_shared<const FlowGroup>(std::move(group)));
    fluid.start_flow(i, pattern, &nobody, i);
  }
  fluid.advance(fluid.until_next());  // all begin
  const double before = fluid.link_bytes()[0];
  EXPECT_EQ(before, 0);
  const Seconds first_end = fluid.until_next();
  fluid.advance(first_end * 0.5);
  for (int i = 0; i < n; ++i) fluid.take_blame(i);  // brings what was moved up to date
  double moved = 0;
  for (const Nic& nic : platform.nics) moved += fluid.link_bytes()[nic.up.index()];
  return moved / in_seconds(first_end * 0.5) / (n * kNic);
}

// How many times longer a collective that waits for all n messages takes than without collisions.
double coupled_slowdown(const Platform& platform, int n, int queue_pairs, std::uint64_t seed) {
  const auto routing = make_routing(platform, {RoutingPolicy::Ecmp, queue_pairs, seed});
  Phase shift{std::vector<Edge>{}, 1};
  auto& edges = std::get<std::vector<Edge>>(shift.pattern);
  const Bytes size = gibibytes(1);
  for (int i = 0; i < n; ++i) edges.push_back({Rank{i}, Rank{n + i}, size});
  const FlowGroup group = lower({shift}, {gpus(2 * n)}, platform, *routing);
  const Seconds flow = alone_duration(group, nominal_capacities(platform)) - group.latency;
  return in_seconds(flow) / (count(size) / kNic);
}

TEST(Ecmp, LeavesIndependentFlowsTheUplinksThatAnyOfThemHit) {
  for (const int n : {8, 16}) {
    const Platform platform = leaf_and_spine(2, n, n);
    const double expected = 1 - std::pow(1 - 1.0 / n, n);
    const Sample sample =
        over_seeds([&](std::uint64_t seed) { return aggregate_rate(platform, n, seed); });
    EXPECT_NEAR(sample.mean, expected, sample.half_width) << n << " flows";
    EXPECT_LT(sample.half_width, 0.02 * expected);  // else the line above says little
  }
}

TEST(Ecmp, SlowsACoupledCollectiveByItsLargestCollision) {
  const Platform platform = leaf_and_spine(2, 8, 8);
  const double expected = expected_largest_bin(8, 8);
  EXPECT_NEAR(expected, 2.597, 5e-4);  // the published figure, as printed
  const Sample sample =
      over_seeds([&](std::uint64_t seed) { return coupled_slowdown(platform, 8, 1, seed); });
  EXPECT_NEAR(sample.mean, expected, sample.half_width);
  EXPECT_LT(sample.half_width, 0.03 * expected);
}

TEST(Ecmp, SlowsACoupledCollectiveLessWithMoreQueuePairs) {
  const int n = 8;
  const Platform platform = leaf_and_spine(2, n, n);
  EXPECT_NEAR(expected_largest_bin(n * 4, n) / 4, 1.762, 5e-4);  // the published figure
  for (const int q : {2, 4, 8}) {
    const double expected = expected_largest_bin(n * q, n) / q;
    const Sample sample =
        over_seeds([&](std::uint64_t seed) { return coupled_slowdown(platform, n, q, seed); });
    EXPECT_NEAR(sample.mean, expected, sample.half_width) << q << " queue pairs";
    EXPECT_LT(sample.half_width, 0.03 * expected);
  }
}

}  // namespace
}  // namespace trainyard
