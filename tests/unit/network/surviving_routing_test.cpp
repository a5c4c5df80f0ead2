// Routes around what is down.

#include "network/surviving_routing.hpp"

#include "unit/network/routing_graph.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard {
namespace {

using namespace testing;

// Two leaves of four one-GPU nodes, two spines, two cables from each leaf to each.
Platform two_spines() {
  return build(with(tree("fat_tree", "2", "4,2", "1,2", "1,2"), single_gpu_nodes(8)));
}

std::vector<LinkShare> path(const Routing& routing, int from, int to) {
  std::vector<LinkShare> links;
  routing.append_path(GpuId(from), GpuId(to), 0, links);
  return links;
}

bool crosses(const std::vector<LinkShare>& path, const std::vector<LinkId>& links) {
  return std::any_of(path.begin(), path.end(), [&](const LinkShare& hop) {
    return std::find(links.begin(), links.end(), hop.link) != links.end();
  });
}

class Surviving : public ::testing::TestWithParam<RoutingPolicy> {};

TEST_P(Surviving, KeepsEveryPathThatIsWholeAndRoutesTheOthersAround) {
  const Platform platform = two_spines();
  RoutingSpec spec;
  spec.policy = GetParam();
  const auto own = make_routing(platform, spec);
  SurvivingRouting routing(platform, *own, spec);
  const std::vector<LinkId> down = find_cable(platform, "leaf0/spine1/cable1");
  ASSERT_EQ(down.size(), 2U);
  routing.set_down(down);
  int changed = 0;
  for (int from = 0; from < 8; ++from)
    for (int to = 0; to < 8; ++to) {
      const std::vector<LinkShare> before = path(*own, from, to), after = path(routing, from, to);
      EXPECT_FALSE(crosses(after, down)) << from << " to " << to;
      if (crosses(before, down)) {
        ++changed;
        EXPECT_EQ(routing.latency(GpuId(from), GpuId(to)), own->latency(GpuId(from), GpuId(to)));
        double into = 0;  // everything still arrives
        for (const LinkShare& hop : after)
          if (hop.link == platform.nics[static_cast<std::size_t>(to)].down) into += hop.share;
        EXPECT_DOUBLE_EQ(into, 1);
      } else {
        ASSERT_EQ(before.size(), after.size());
        for (std::size_t hop = 0; hop < before.size(); ++hop)
          EXPECT_EQ(before[hop].link, after[hop].link);
      }
    }
  EXPECT_GT(changed, 0);
  routing.set_down({});
  EXPECT_TRUE(crosses(path(routing, 0, 7), down) == crosses(path(*own, 0, 7), down));
}

INSTANTIATE_TEST_SUITE_P(Policies, Surviving,
                         ::testing::Values(RoutingPolicy::Static, RoutingPolicy::Ecmp,
                                           RoutingPolicy::Spray));

TEST(SurvivingRouting, GivesTheBrokenPathWhereNoneSurvives) {
  const Platform platform = two_spines();
  const auto own = make_routing(platform, {});
  SurvivingRouting routing(platform, *own, {});
  const std::vector<LinkId> cable = find_cable(platform, "node3/nic0");
  ASSERT_EQ(cable.size(), 2U);
  routing.set_down(cable);
  EXPECT_TRUE(crosses(path(routing, 3, 7), cable));
  EXPECT_FALSE(crosses(path(routing, 2, 7), cable));
}

TEST(SurvivingRouting, OfALostSwitchLeavesTheOthers) {
  const Platform platform = two_spines();
  const auto own = make_routing(platform, {});
  SurvivingRouting routing(platform, *own, {});
  const std::vector<LinkId> spine = cables_of_switch(platform, "spine0");
  EXPECT_EQ(spine.size(), 8U);  // two cables to each of two leaves, both ways
  routing.set_down(spine);
  for (int to = 4; to < 8; ++to) EXPECT_FALSE(crosses(path(routing, 0, to), spine));
  EXPECT_TRUE(cables_of_switch(platform, "spine9").empty());
  EXPECT_TRUE(find_cable(platform, "leaf0/spine9").empty());
}

}  // namespace
}  // namespace trainyard
