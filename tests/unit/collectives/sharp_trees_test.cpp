#include "collectives/sharp_trees.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

const std::vector<SwitchId> kPath = {SwitchId(0), SwitchId(2)};
const std::vector<SwitchId> kOther = {SwitchId(1), SwitchId(2)};

TEST(SharpTrees, GoToWhoComesFirstAndAreRefusedWithTheSwitchThatHasNone) {
  SharpTrees trees(1);
  EXPECT_EQ(trees.take(JobId(0), kPath), std::nullopt);
  EXPECT_EQ(trees.take(JobId(1), kOther), SwitchId(2));
  // Nothing was taken by the one refused.
  EXPECT_EQ(trees.take(JobId(2), {SwitchId(1)}), std::nullopt);
}

TEST(SharpTrees, ComeBackWithTheJobsEnd) {
  SharpTrees trees(1);
  trees.take(JobId(0), kPath);
  trees.give_back(JobId(0));
  EXPECT_EQ(trees.take(JobId(1), kOther), std::nullopt);
}

TEST(SharpTrees, AreNoneWhereTheFabricHasNone) {
  EXPECT_EQ(SharpTrees(0).take(JobId(0), kPath), SwitchId(0));
}

}  // namespace
}  // namespace trainyard
