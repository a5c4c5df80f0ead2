// Fluid: a clock, delays and flows, without an engine.

#include "unit/network/fluid_world.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {
namespace {

using Tags = std::vector<std::int64_t>;

TEST(Fluid, EndsDelaysInOrderOfTheirDates) {
  FluidWorld world(1);
  for (const int seconds : {3, 1, 2})
    world.fluid.start_delay(0, Seconds(seconds), &world.diary, seconds);
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{1, 2, 3}));
  EXPECT_EQ(world.diary.dates, (std::vector<double>{1, 2, 3}));
}

// 0.1 + 0.2 and 0.3 differ in their last bit; whoever started first ends first all the same.
TEST(Fluid, EndsSimultaneousDelaysInOrderOfTheirStart) {
  FluidWorld world(1);
  struct Starter final : Listener {
    FluidWorld* world = nullptr;
    void completed(std::int64_t) override {
      world->fluid.start_delay(0, Seconds(0.3 - 0.1), &world->diary, 3);
    }
  } late;
  late.world = &world;
  world.fluid.start_delay(0, Seconds(0.3), &world.diary, 1);
  world.fluid.start_delay(0, Seconds(0.1), &late, 0);
  world.fluid.start_delay(0, Seconds(0.3), &world.diary, 2);
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{1, 2, 3}));
}

// The first to start is the last whose rate is set, because its latency is longer.
TEST(Fluid, EndsSimultaneousFlowsInOrderOfTheirStart) {
  FluidWorld world(2);
  const double latency = 1;
  const auto slow_to_begin = world.pattern({0}, kRate, latency);
  const auto at_once = world.pattern({1}, kRate * (1 + latency));
  world.fluid.start_flow(0, slow_to_begin, &world.diary, 1);
  world.fluid.start_flow(1, at_once, &world.diary, 2);
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{1, 2}));
  EXPECT_EQ(world.diary.dates, (std::vector<double>{2, 2}));
}

// Unequal latencies; equal shares. A: 300 bytes from 1 s on; B: 300 bytes from 2 s on. From 2 s on
// each has half of 100 B/s: A's last 200 bytes end at 6 s; then B has 100 bytes left.
TEST(Fluid, SharesALinkEquallyWhateverTheLatencies) {
  FluidWorld world(1);
  world.fluid.start_flow(0, world.pattern({0}, 300, 1), &world.diary, 1);
  world.fluid.start_flow(1, world.pattern({0}, 300, 2), &world.diary, 2);
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{1, 2}));
  EXPECT_DOUBLE_EQ(world.diary.dates[0], 1 + 1 + 2 * 2);
  EXPECT_DOUBLE_EQ(world.diary.dates[1], world.diary.dates[0] + 1);
}

TEST(Fluid, GivesTheShareOfAWithdrawnFlowToTheOthers) {
  FluidWorld world(1);
  const auto stays = world.pattern({0}, 300), goes = world.pattern({0}, 300);
  world.fluid.start_flow(0, stays, &world.diary, 1);
  const Fluid::Handle handle = world.fluid.start_flow(1, goes, &world.diary, 2);
  world.run_until(2);
  world.fluid.withdraw(handle);
  world.fluid.withdraw(handle);  // harmless
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{1}));  // the withdrawn one is not told
  EXPECT_DOUBLE_EQ(world.diary.dates[0], 2 + (300 - 2 * kRate / 2) / kRate);
  EXPECT_DOUBLE_EQ(world.fluid.link_bytes()[0], 300 + 2 * kRate / 2);
}

TEST(Fluid, WithdrawsDelaysAndFlowsInTheirLatency) {
  FluidWorld world(1);
  const Fluid::Handle delay = world.fluid.start_delay(0, Seconds(5), &world.diary, 1);
  const Fluid::Handle flow = world.fluid.start_flow(0, world.pattern({0}, 100, 5), &world.diary, 2);
  world.run_until(1);
  world.fluid.withdraw(delay);
  world.fluid.withdraw(flow);
  EXPECT_EQ(world.fluid.until_next(), forever());
  // The places are used anew; the old handles stay dead.
  world.fluid.start_delay(0, Seconds(1), &world.diary, 3);
  world.fluid.withdraw(delay);
  world.fluid.withdraw(flow);
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{3}));
}

// A job's end may withdraw what would end in the same instant.
TEST(Fluid, DoesNotTellOfWhatIsWithdrawnInTheInstantItEnds) {
  FluidWorld world(1);
  struct Killer final : Listener {
    FluidWorld* world = nullptr;
    std::vector<Fluid::Handle> victims;
    void completed(std::int64_t) override {
      for (const Fluid::Handle victim : victims) world->fluid.withdraw(victim);
      world->fluid.start_delay(1, Seconds(1), &world->diary, 9);  // takes a victim's place
    }
  } killer;
  killer.world = &world;
  world.fluid.start_delay(0, Seconds(1), &killer, 0);
  killer.victims = {world.fluid.start_delay(0, Seconds(1), &world.diary, 1),
                    world.fluid.start_flow(0, world.pattern({0}, kRate), &world.diary, 2)};
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{9}));
  EXPECT_DOUBLE_EQ(world.fluid.link_bytes()[0], kRate);  // it had moved its bytes
}

TEST(Fluid, FreezesADomainInPhase) {
  FluidWorld world(2);
  // Domain 0: a delay, a flow in its latency, a flow under way. Domain 1 goes on.
  world.fluid.start_delay(0, Seconds(5), &world.diary, 1);
  world.fluid.start_flow(0, world.pattern({0}, 100, 3), &world.diary, 2);
  world.fluid.start_flow(0, world.pattern({0}, 900), &world.diary, 3);
  world.fluid.start_flow(1, world.pattern({1}, 700), &world.diary, 4);
  world.run_until(2);
  world.fluid.freeze(0);
  world.fluid.start_delay(0, Seconds(6), &world.diary, 5);  // waits with the others
  world.run_until(10);
  EXPECT_EQ(world.diary.tags, (Tags{4}));
  world.fluid.thaw(0);
  world.run();
  // Without the pause: the second flow runs 3 s to 5 s at half rate, the first has moved 400 by
  // then and needs 5 s more. All of it 8 s later.
  EXPECT_EQ(world.diary.tags, (Tags{4, 1, 2, 5, 3}));
  const std::vector<double> expected = {7, 5 + 8, 5 + 8, 2 + 6 + 8, 10 + 8};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(world.diary.dates[i], expected[i], 1e-9) << i;  // rounding of a few sums
}

TEST(Fluid, LendsAFrozenDomainsShareToTheOthers) {
  FluidWorld world(1);
  world.fluid.start_flow(0, world.pattern({0}, 300), &world.diary, 1);
  world.fluid.start_flow(1, world.pattern({0}, 300), &world.diary, 2);
  world.run_until(2);  // 100 bytes each
  world.fluid.freeze(0);
  world.run_until(3);  // domain 1 alone: 100 more
  world.fluid.thaw(0);
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{2, 1}));
  EXPECT_DOUBLE_EQ(world.diary.dates[0], 3 + 2 * 1);
  EXPECT_DOUBLE_EQ(world.diary.dates[1], 5 + 1);
}

// At 3e7 s (a year) doubles are 3.7 ns apart; kept relative to a base of whole seconds, a date
// within 1000 s of the base is exact to 1.2e-13 s.
TEST(Fluid, KeepsAMicrosecondExactAfterAYear) {
  FluidWorld world(1);
  const double year = 3e7;
  const auto flow = world.pattern({0}, kRate * 1e-6, 1e-6);
  const double stride = 999.7;
  for (int strides = 0; strides * stride < year; ++strides) {
    world.fluid.start_delay(0, Seconds(stride), &world.diary, 0);
    world.run();
  }
  const Fluid::Instant before = world.fluid.now();
  EXPECT_GT(in_seconds(before - Fluid::Instant{}), year);
  world.fluid.start_delay(0, microseconds(1), &world.diary, 1);
  world.run();
  EXPECT_NEAR(in_seconds(world.fluid.now() - before), 1e-6, 2.5e-13);  // two roundings
  const Fluid::Instant between = world.fluid.now();
  world.fluid.start_flow(0, flow, &world.diary, 2);
  world.run();
  EXPECT_NEAR(in_seconds(world.fluid.now() - between), 2e-6, 5e-13);  // latency and flow
}

// Rebasing must not move what is under way, nor what stands still.
TEST(Fluid, RebasesItemsUnderWayAndFrozenOnes) {
  FluidWorld world(2);
  world.fluid.start_delay(0, Seconds(2500), &world.diary, 1);
  world.fluid.start_flow(1, world.pattern({0}, kRate * 3000), &world.diary, 2);
  world.fluid.start_flow(2, world.pattern({1}, kRate * 400), &world.diary, 3);
  world.run_until(100);
  world.fluid.freeze(2);
  for (const double date : {600, 1200, 1800, 2400}) world.run_until(date);
  world.fluid.thaw(2);
  world.run();
  EXPECT_EQ(world.diary.tags, (Tags{1, 3, 2}));
  EXPECT_NEAR(world.diary.dates[0], 2500, 1e-9);
  EXPECT_NEAR(world.diary.dates[1], 2400 + 300, 1e-9);
  EXPECT_NEAR(world.diary.dates[2], 3000, 1e-9);
}

}  // namespace
}  // namespace trainyard
