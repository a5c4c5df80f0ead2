// The tables that `trainyard list` prints.
#include "schedulers/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace trainyard {
namespace {

TEST(Registry, NamesEveryPolicyAndPlacementOnceWithASentence) {
  std::set<std::string> names;
  for (const PolicyEntry& policy : policies()) {
    EXPECT_TRUE(names.insert(policy.name).second);
    EXPECT_FALSE(std::string(policy.sentence).empty());
    EXPECT_NE(policy.make({}), nullptr);
  }
  for (const PlacementEntry& placement : placements()) {
    EXPECT_TRUE(names.insert(placement.name).second);
    EXPECT_FALSE(std::string(placement.sentence).empty());
    EXPECT_NE(placement.make({}), nullptr);
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"fifo", "backfill", "conservative", "shortest_first",
                                   "priority_preemption", "gang", "elastic", "process", "first_fit",
                                   "pack_by_leaf", "spread", "network_aware", "random"}));
}

}  // namespace
}  // namespace trainyard
