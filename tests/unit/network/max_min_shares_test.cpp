// MaxMin on one or two links, where every share is known by hand.
#include "network/max_min.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trainyard {
namespace {

TEST(MaxMin, TakesAnUnsharedLinkAsACapOnEachFlow) {
  Platform platform;
  platform.links.resize(2);
  platform.links[0].bandwidth = bytes_per_second(10);
  platform.links[0].shared = false;
  platform.links[1].bandwidth = bytes_per_second(100);
  // Two flows of a group cross link 0 together: 10 B/s each, 20 in all.
  FlowGroup group;
  group.length = 1;
  group.demands = {{LinkId(0), 2.0}, {LinkId(1), 2.0}};
  group.caps = {{LinkId(0), 1.0}};
  MaxMin solver(nominal_capacities(platform), platform);
  std::vector<MaxMin::Key> keys(5);
  for (MaxMin::Key& key : keys) key = solver.add(group);
  solver.solve();
  for (const MaxMin::Key key : keys) EXPECT_DOUBLE_EQ(solver.rate(key), 10);  // 5 x 2 x 10 = 100
  keys.push_back(solver.add(group));
  solver.solve();
  for (const MaxMin::Key key : keys) EXPECT_DOUBLE_EQ(solver.rate(key), 100.0 / (6 * 2));
}

TEST(MaxMin, GivesTwoGroupsOnOneLinkAFlowsShareForEachFlow) {
  Platform platform;
  platform.links.resize(1);
  platform.links[0].bandwidth = bytes_per_second(60);
  FlowGroup one, five;
  one.length = five.length = 1;
  one.demands = {{LinkId(0), 1.0}};
  five.demands = {{LinkId(0), 5.0}};
  MaxMin solver(nominal_capacities(platform), platform);
  const MaxMin::Key a = solver.add(one), b = solver.add(five);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(a), 60.0 / 6);
  EXPECT_DOUBLE_EQ(solver.rate(b), 60.0 / 6);
}

}  // namespace
}  // namespace trainyard
