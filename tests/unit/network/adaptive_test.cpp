// Adaptive routing on two leaves, two nodes each, below two spines: GPUs 0 and 1 send to 2 and 3.
#include "network/adaptive/even_filling.hpp"
#include "network/fluid.hpp"
#include "network/link_loads.hpp"
#include "network/network.hpp"
#include "unit/network/fluid_world.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace trainyard {
namespace {

using namespace testing;

constexpr double kUnit = 1e9;  // bytes/s

Bandwidth units(double n) { return bytes_per_second(n * kUnit); }

Platform two_spines() {
  Platform platform = build(with(tree("fat_tree", "2", "2,2", "1,2", "1,1"), single_gpu_nodes(4)));
  for (Link& link : platform.links) {
    link.latency = Seconds();
    link.bandwidth = units(link.link_class == LinkClass::Fabric ? 1 : 4);
  }
  return platform;
}

std::string uplink(int leaf, int spine) {
  return "leaf" + std::to_string(leaf) + "/spine" + std::to_string(spine) + "/up";
}

void set(Platform& platform, const std::string& link, double capacity) {
  const LinkId id = find_link(platform, link);
  ASSERT_TRUE(id.valid()) << link;
  platform.links[id.index()].bandwidth = units(capacity);
}

struct World {
  World(const Platform& hardware, RoutingPolicy policy)
      : platform(hardware),
        routing(make_routing(platform, {policy, 1, 0})),
        fluid(nominal_capacities(platform), platform) {}

  struct Transfer {
    int from, to;
  };
  Fluid::PatternId pattern(const std::vector<Transfer>& transfers, double seconds_at_a_unit) {
    LinkLoads loads(platform, *routing);
    const auto size = static_cast<std::int64_t>(seconds_at_a_unit * kUnit);
    for (const Transfer& transfer : transfers)
      loads.add(GpuId(transfer.from), GpuId(transfer.to), bytes(size));
    loads.end_phase(1);
    return fluid.add_pattern(std::make_shared<const FlowGroup>(loads.group()));
  }
  // A flow that cannot divide, over one link.
  Fluid::PatternId pinned(const std::string& link, double seconds_at_a_unit) {
    FlowGroup group;
    group.demands = {{find_link(platform, link), 1}};
    group.length = seconds_at_a_unit * kUnit;
    return fluid.add_pattern(std::make_shared<const FlowGroup>(group));
  }
  void start(Fluid::PatternId pattern, std::int64_t tag) {
    fluid.start_flow(kNoDomain, pattern, &diary, tag);
  }
  void run_until(double date) {
    while (true) {
      const double left = date - in_seconds(fluid.now() - Fluid::Instant{});
      if (in_seconds(fluid.until_next()) > left) return fluid.advance(Seconds(left));
      fluid.advance(fluid.until_next());
    }
  }
  void run() {
    for (Seconds next = fluid.until_next(); next != forever(); next = fluid.until_next())
      fluid.advance(next);
  }
  double bytes_on(const std::string& link) const {
    return fluid.link_bytes()[find_link(platform, link).index()];
  }

  Platform platform;
  std::unique_ptr<Routing> routing;
  Fluid fluid;
  Diary diary{fluid};
};

// Alone with uplinks of 1 and 3: spray ends with its slower half, adaptive fills both.
TEST(AdaptiveRouting, FillsUnequalUplinksTogether) {
  Platform platform = two_spines();
  for (const int leaf : {0, 1}) {
    set(platform, uplink(leaf, 1), 3);
    set(platform, "leaf" + std::to_string(leaf) + "/spine1/down", 3);
  }
  const double size = 12;
  for (const auto& [policy, rate] :
       {std::pair{RoutingPolicy::Spray, 2.0}, {RoutingPolicy::Adaptive, 1.0 + 3.0}}) {
    World world(platform, policy);
    world.start(world.pattern({{0, 2}}, size), 0);
    world.run();
    EXPECT_NEAR(world.diary.dates[0], size / rate, 1e-9) << to_string(policy);
  }
}

// The narrow cable may as well be on the way down, where the leaf that divides has no port.
TEST(AdaptiveRouting, SeesThatACableFurtherOnIsNarrow) {
  Platform platform = two_spines();
  set(platform, "leaf1/spine0/down", 0.25);
  World world(platform, RoutingPolicy::Adaptive);
  world.start(world.pattern({{0, 2}}, 5), 0);
  world.run();
  EXPECT_NEAR(world.diary.dates[0], 5 / (0.25 + 1), 1e-9);
  EXPECT_NEAR(world.bytes_on(uplink(0, 0)), 5 * kUnit * 0.25 / 1.25, 1);
}

TEST(AdaptiveRouting, EqualsSprayWhereAllIsSymmetric) {
  std::vector<double> bytes[2], dates[2];
  for (const int i : {0, 1}) {
    World world(two_spines(), i == 0 ? RoutingPolicy::Spray : RoutingPolicy::Adaptive);
    world.start(world.pattern({{0, 2}, {1, 3}, {2, 0}, {3, 1}}, 3), 0);
    world.start(world.pattern({{0, 3}, {3, 0}}, 1), 1);
    world.run();
    bytes[i] = world.fluid.link_bytes();
    dates[i] = world.diary.dates;
  }
  EXPECT_EQ(dates[0], dates[1]);
  EXPECT_EQ(bytes[0], bytes[1]);
}

// An elephant that cannot divide has one uplink. Sprayed, the transfer has half of its bytes there:
// both run at r with r + r / 2 = 1. Adaptive, it leaves that uplink to the elephant.
TEST(AdaptiveRouting, LeavesALinkToAnElephantThatHasNoOther) {
  const double size = 2;
  for (const auto& [policy, rate] :
       {std::pair{RoutingPolicy::Spray, 1 / 1.5}, {RoutingPolicy::Adaptive, 1.0}}) {
    World world(two_spines(), policy);
    world.start(world.pinned(uplink(0, 0), 100), 0);
    world.start(world.pattern({{0, 2}}, size), 1);
    world.run();
    ASSERT_EQ(world.diary.tags[0], 1);
    EXPECT_NEAR(world.diary.dates[0], size / rate, 1e-9) << to_string(policy);
  }
}

// Until the elephant ends at 3 s one uplink, from then on both: 3 + (7 - 3 x 1) / 2.
TEST(AdaptiveRouting, TakesTheLinkBackWhenTheElephantLeaves) {
  World world(two_spines(), RoutingPolicy::Adaptive);
  world.start(world.pinned(uplink(0, 0), 3), 0);
  world.start(world.pattern({{0, 2}}, 7), 1);
  world.run();
  EXPECT_NEAR(world.diary.dates[0], 3, 1e-9);
  EXPECT_NEAR(world.diary.dates[1], 3 + (7 - 3) / 2.0, 1e-9);
  EXPECT_NEAR(world.bytes_on(uplink(0, 0)), (3 + 2) * kUnit, 1);
  EXPECT_NEAR(world.bytes_on(uplink(0, 1)), (3 + 2) * kUnit, 1);
}

// One bundle has but one way (its other cable is as good as cut), the other makes room for it:
// together they fill both uplinks of their leaf.
TEST(AdaptiveRouting, DividesTheBundlesOfOneCollectiveAroundEachOther) {
  Platform platform = build(with(tree("fat_tree", "2", "2,3", "1,2", "1,1"), single_gpu_nodes(6)));
  for (Link& link : platform.links) {
    link.latency = Seconds();
    link.bandwidth = units(link.link_class == LinkClass::Fabric ? 1 : 4);
  }
  const double nearly_nothing = 1e-6;
  set(platform, "leaf1/spine1/down", nearly_nothing);
  World world(platform, RoutingPolicy::Adaptive);
  world.start(world.pattern({{0, 2}, {0, 4}}, 3), 0);  // to leaf 1 and to leaf 2
  world.run();
  EXPECT_NEAR(world.diary.dates[0], 3, 3e-3);  // each at 1: hysteresis and the nearly cut cable
}

TEST(AdaptiveRouting, TwoTransfersThatDivideShareBothUplinks) {
  World world(two_spines(), RoutingPolicy::Adaptive);
  world.start(world.pattern({{0, 2}}, 4), 0);
  world.start(world.pattern({{1, 3}}, 4), 1);
  world.run();
  EXPECT_NEAR(world.diary.dates[1], 8 / 2.0, 1e-9);
}

// Capacity lost under way.
TEST(AdaptiveRouting, FollowsACapacityThatChanges) {
  World world(two_spines(), RoutingPolicy::Adaptive);
  world.start(world.pattern({{0, 2}}, 8), 0);
  world.run_until(1);  // 2 of 8 are over
  world.fluid.set_capacity(find_link(world.platform, uplink(0, 0)), 0.5 * kUnit);
  world.run();
  EXPECT_NEAR(world.diary.dates[0], 1 + (8 - 2) / 1.5, 1e-9);
}

// Whatever comes and goes: all bytes arrive over the fabric, none twice, and no link is overfull.
TEST(AdaptiveRouting, KeepsTheIntegralOfRatesAndTheCapacities) {
  Platform platform = two_spines();
  set(platform, uplink(0, 1), 0.7);
  World world(platform, RoutingPolicy::Adaptive);
  const Fluid::PatternId there = world.pattern({{0, 2}, {1, 3}}, 3);
  const Fluid::PatternId ring = world.pattern({{0, 1}, {1, 2}, {2, 3}, {3, 0}}, 2);
  const Fluid::PatternId elephant = world.pinned(uplink(0, 0), 1.5);
  world.start(there, 0);
  world.start(ring, 1);
  world.run_until(0.5);
  world.start(elephant, 2);
  world.run_until(1);
  world.start(there, 3);
  const auto accrued = [&world] {  // up to the clock
    world.fluid.take_blame(kNoDomain);
    return world.fluid.link_bytes();
  };
  std::vector<double> before = accrued();
  while (world.fluid.until_next() != forever()) {
    const double step = in_seconds(world.fluid.until_next());
    world.fluid.advance(Seconds(step));
    const std::vector<double> now = accrued();
    for (std::size_t link = 0; link < now.size(); ++link)
      EXPECT_LE(now[link] - before[link], world.fluid.capacities()[link] * step * (1 + 1e-9) + 1);
    before = now;
  }
  const double up = world.bytes_on(uplink(0, 0)) + world.bytes_on(uplink(0, 1));
  EXPECT_NEAR(up, (2 * 2 * 3 + 2 + 1.5) * kUnit, 10);
  const double down = world.bytes_on("leaf1/spine0/down") + world.bytes_on("leaf1/spine1/down");
  EXPECT_NEAR(down, (2 * 2 * 3 + 2) * kUnit, 10);
}

// A lowered group is divided for an idle fabric already: what is computed without playing it is
// right too.
TEST(AdaptiveRouting, IsDividedAloneWhenLowered) {
  Platform platform = two_spines();
  set(platform, uplink(0, 1), 3);
  set(platform, "leaf1/spine1/down", 3);
  const auto routing = make_routing(platform, {RoutingPolicy::Adaptive, 1, 0});
  LinkLoads loads(platform, *routing);
  loads.add(GpuId(0), GpuId(2), bytes(12'000'000'000));
  EXPECT_NEAR(in_seconds(alone_duration(loads.group(), nominal_capacities(platform))), 12 / 4.0,
              1e-9);
}

TEST(EvenFilling, LeavesTheFullestCableAsEmptyAsAMaxFlowCan) {
  // Two ways of two cables each: 0 -> {1, 2} -> 3.
  Bundle bundle;
  bundle.cables = {{0, 0, 1, .5}, {1, 0, 2, .5}, {2, 1, 3, .5}, {3, 2, 3, .5}};
  bundle.supply = {1, 0, 0, -1};
  const std::vector<Occupancy> cables = {{10, 0}, {10, 5}, {4, 0}, {10, 0}};
  // By the upper way x, by the lower r - x: x / 4 = (5 + r - x) / 10.
  const double rate = 3, x = (5 + rate) * 4 / 14;
  const Filling filling = fill_evenly(bundle, cables, rate);
  EXPECT_NEAR(filling.fullest, x / 4, 1e-9);
  EXPECT_NEAR(filling.shares[0], x / rate, 1e-9);
  EXPECT_NEAR(filling.shares[3], 1 - x / rate, 1e-9);
}

}  // namespace
}  // namespace trainyard
