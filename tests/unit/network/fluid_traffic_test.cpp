// What Fluid says afterwards: bytes, time at full links, and who is to blame for what was lost.
#include "unit/network/fluid_world.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

TEST(Fluid, CarriesExactlyThePatternsBytes) {
  FluidWorld world(3);
  const int times = 7;
  std::vector<Fluid::PatternId> patterns = {world.pattern({0, 1}, 123.4), world.pattern({1, 2}, 77),
                                            world.pattern({0, 2}, 5.6, 0.1)};
  for (int i = 0; i < times; ++i)
    for (std::size_t p = 0; p < patterns.size(); ++p)
      world.fluid.start_flow(static_cast<Domain>(p), patterns[p], &world.diary, i);
  world.run();
  world.fluid.credit(patterns[0], 2.5);
  const std::vector<double> expected = {(times + 2.5) * 123.4 + times * 5.6,
                                        (times + 2.5) * 123.4 + times * 77, times * (77 + 5.6)};
  for (std::size_t l = 0; l < expected.size(); ++l)
    EXPECT_NEAR(world.fluid.link_bytes()[l], expected[l], expected[l] * 1e-12);  // rounding
  for (const Fluid::PatternId pattern : patterns) world.fluid.drop_pattern(pattern);
  for (std::size_t l = 0; l < expected.size(); ++l)
    EXPECT_NEAR(world.fluid.link_bytes()[l], expected[l], expected[l] * 1e-12);
}

TEST(Fluid, CountsTheTimeALinkIsFull) {
  FluidWorld world(1);
  const auto full = world.pattern({0}, 400);
  world.fluid.start_flow(0, full, &world.diary, 1);
  world.run();
  EXPECT_DOUBLE_EQ(world.fluid.link_saturated_s()[0], 4);
  world.fluid.start_flow(0, full, &world.diary, 1);
  world.fluid.start_flow(1, full, &world.diary, 2);
  world.run();
  EXPECT_DOUBLE_EQ(world.fluid.link_saturated_s()[0], 4 + 8);
}

// ---- Blame ----

double total(const Blame& blame) {
  double sum = 0;
  for (const auto& [key, lost] : blame) sum += lost;
  return sum;
}

TEST(Fluid, BlamesTheRivalForWhatItCosts) {
  FluidWorld world(1);
  world.fluid.start_flow(0, world.pattern({0}, 300), &world.diary, 1);
  world.fluid.start_flow(1, world.pattern({0}, 100), &world.diary, 2);
  world.run();
  // Both at half rate until 2 s: domain 1 lost 1 s of the 2; so did domain 0.
  const Blame first = world.fluid.take_blame(0), second = world.fluid.take_blame(1);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first.begin()->first.rival, 1);
  EXPECT_EQ(first.begin()->first.link, LinkId(0));
  EXPECT_DOUBLE_EQ(total(first), world.diary.dates[1] - 300 / kRate);
  EXPECT_DOUBLE_EQ(total(second), world.diary.dates[0] - 100 / kRate);
  EXPECT_TRUE(world.fluid.take_blame(0).empty());  // taken
}

TEST(Fluid, DividesBlameByWhatTheRivalsMove) {
  FluidWorld world(1);
  FlowGroup thick;
  thick.demands = {{LinkId(0), 3}};
  thick.length = 100;
  world.fluid.start_flow(0, world.pattern({0}, 100), &world.diary, 0);
  world.fluid.start_flow(1, world.pattern({0}, 100), &world.diary, 1);
  world.fluid.start_flow(2, world.fluid.add_pattern(std::make_shared<const FlowGroup>(thick)),
                         &world.diary, 2);
  world.run();  // five equal flows: all end after 5 s instead of 1 s
  Blame blame = world.fluid.take_blame(0);
  EXPECT_DOUBLE_EQ((blame[{1, LinkId(0)}]), (5.0 - 1) * 1 / 4);
  EXPECT_DOUBLE_EQ((blame[{2, LinkId(0)}]), (5.0 - 1) * 3 / 4);
}

// Two flows of one domain and one rival, 100 bytes each: 3 s. Without the rival: 2 s.
TEST(Fluid, DoesNotBlameARivalForADomainsOwnFlows) {
  FluidWorld world(1);
  world.fluid.start_flow(0, world.pattern({0}, 100), &world.diary, 0);
  world.fluid.start_flow(0, world.pattern({0}, 100), &world.diary, 1);
  world.fluid.start_flow(1, world.pattern({0}, 100), &world.diary, 2);
  world.run();
  const double lost_by_each_flow = 3 - 2;
  EXPECT_DOUBLE_EQ(total(world.fluid.take_blame(0)), 2 * lost_by_each_flow);
}

}  // namespace
}  // namespace trainyard
