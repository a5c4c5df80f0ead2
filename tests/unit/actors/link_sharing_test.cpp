// LinkSharing: jobs are coupled by links that they can fill together, and by no others.
#include "actors/link_sharing.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

constexpr double kCapacity = 100;

using Jobs = std::vector<Domain>;

struct Shared {
  Capacities capacities = Capacities(4, kCapacity);
  LinkSharing sharing{capacities, capacities.size()};
};

std::vector<LinkUse> uses(const std::vector<std::pair<int, double>>& peaks) {
  std::vector<LinkUse> result;
  for (const auto& [link, peak] : peaks) result.push_back({LinkId(link), peak});
  return result;
}

TEST(LinkSharing, CouplesJobsThatCanFillALinkTogether) {
  Shared world;
  const auto first = uses({{0, 60}}), second = uses({{0, 40}});
  world.sharing.add(1, first);
  EXPECT_EQ(world.sharing.connected_to(1), Jobs({1}));
  world.sharing.add(2, second);
  EXPECT_EQ(world.sharing.connected_to(1), Jobs({1, 2}));
  EXPECT_EQ(world.sharing.coupling_links({1, 2}), std::vector<LinkId>({LinkId(0)}));
}

TEST(LinkSharing, DoesNotCoupleJobsThatLeaveALinkRoom) {
  Shared world;
  const auto first = uses({{0, 60}, {1, kCapacity}}), second = uses({{0, 39}, {2, kCapacity}});
  world.sharing.add(1, first);
  world.sharing.add(2, second);
  EXPECT_EQ(world.sharing.connected_to(1), Jobs({1}));
  EXPECT_TRUE(world.sharing.coupling_links({1, 2}).empty());
}

// 40 + 40 leave room; with 30 more nobody can be sure of his share.
TEST(LinkSharing, CouplesTwoJobsOnlyWhileAThirdIsThere) {
  Shared world;
  const auto wide = uses({{0, 40}}), narrow = uses({{0, 30}});
  world.sharing.add(1, wide);
  world.sharing.add(2, wide);
  EXPECT_EQ(world.sharing.connected_to(2), Jobs({2}));
  world.sharing.add(3, narrow);
  EXPECT_EQ(world.sharing.connected_to(1), Jobs({1, 2, 3}));
  world.sharing.remove(3);
  EXPECT_EQ(world.sharing.connected_to(1), Jobs({1}));
}

TEST(LinkSharing, ConnectsThroughOthers) {
  Shared world;
  const auto left = uses({{0, 100}}), middle = uses({{0, 100}, {3, 100}}), right = uses({{3, 100}});
  world.sharing.add(5, left);
  world.sharing.add(3, right);
  EXPECT_EQ(world.sharing.connected_to(5), Jobs({5}));
  world.sharing.add(4, middle);
  EXPECT_EQ(world.sharing.connected_to(5), Jobs({3, 4, 5}));
}

}  // namespace
}  // namespace trainyard
