// Leaving twin links out changes no rate.
#include "network/twin_links.hpp"

#include "base/rng.hpp"
#include "network/max_min.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

constexpr int kKinds = 12, kTwins = 40, kGroups = 10;

// Kinds of links, each kTwins times; every fifth kind caps flows instead of being shared.
Platform many_twins(RandomStream& random) {
  Platform platform;
  for (int kind = 0; kind < kKinds; ++kind) {
    Link link;
    link.bandwidth = bytes_per_second(1 + 99 * random.uniform());
    link.shared = kind % 5 != 4;
    for (int twin = 0; twin < kTwins; ++twin) platform.links.push_back(link);
  }
  return platform;
}

// Loads all links of a kind alike, as a folded collective does.
Lowered folded(RandomStream& random, const Platform& platform) {
  FlowGroup group;
  group.length = 1;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (random.uniform() < 0.5) continue;
    const double load = 0.1 + 10 * random.uniform(), largest = load * random.uniform();
    for (int twin = 0; twin < kTwins; ++twin) {
      const LinkId link(kind * kTwins + twin);
      group.demands.push_back({link, load});
      if (!platform.links[link.index()].shared) group.caps.push_back({link, largest});
    }
  }
  return {std::make_shared<const FlowGroup>(std::move(group))};
}

std::vector<double> rates(const Platform& platform, const std::vector<Lowered>& collectives) {
  MaxMin solver(nominal_capacities(platform), platform);
  std::vector<MaxMin::Key> keys;
  keys.reserve(collectives.size());
  for (const Lowered& collective : collectives) keys.push_back(solver.add(*collective.front()));
  solver.solve();
  std::vector<double> rates;
  rates.reserve(keys.size());
  for (const MaxMin::Key key : keys) rates.push_back(solver.rate(key));
  return rates;
}

}  // namespace

TEST(TwinLinks, OneOfEachGivesTheRatesOfAll) {
  std::size_t demands = 0, kept = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random = RandomSource(seed).stream("twins");
    Platform platform = many_twins(random);
    std::vector<Lowered> whole, thin;
    for (int group = 0; group < kGroups; ++group) whole.push_back(folded(random, platform));
    // One twin in all is not like the others.
    platform.links[random.below(platform.links.size())].bandwidth = bytes_per_second(0.5);
    TwinLinks twins(whole, nominal_capacities(platform));
    for (const Lowered& collective : whole) {
      thin.push_back(twins.one_of_each(collective));
      demands += collective.front()->demands.size();
      kept += thin.back().front()->demands.size();
    }
    EXPECT_EQ(rates(platform, thin), rates(platform, whole)) << "seed " << seed;
  }
  EXPECT_LT(kept, demands / 2);  // links that cap flows all stay
}

TEST(TwinLinks, GroupsWhoseLoadsMoveKeepAllTheirLinks) {
  RandomStream random = RandomSource(1).stream("twins");
  const Platform platform = many_twins(random);
  FlowGroup adaptive = *folded(random, platform).front();
  adaptive.ways = std::make_shared<const Ways>();
  const Lowered collective{std::make_shared<const FlowGroup>(adaptive)};
  TwinLinks twins({collective}, nominal_capacities(platform));
  EXPECT_EQ(twins.one_of_each(collective), collective);
}

}  // namespace trainyard
