// Random placement: even, repeatable, and each job for itself.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <map>

namespace trainyard {
namespace {

using testing::ElementsAreArray;

TEST(Random, DiffersByJobAndBySeed) {
  World world(small_platform(16, 8, 4));
  const std::vector<int> first = place("random", asking(16, 2, 0), world);
  EXPECT_NE(first, place("random", asking(16, 2, 1), world));
  EXPECT_NE(first, place("random", asking(16, 2, 0), world, /*seed=*/2));
}

TEST(Random, IsNotMovedByPlacingOtherJobs) {
  World world(small_platform(16, 8, 4));
  const auto placement = placement_named("random");
  const Cluster& cluster = world.cluster();
  const auto where = [&](int id) {
    return placement
        ->place(asking(16, 2, id), {world.platform(), cluster.free(), cluster.free_per_node()})
        .gpus;
  };
  const std::vector<GpuId> alone = where(7);
  for (int other = 0; other < 5; ++other) where(other);
  EXPECT_THAT(where(7), ElementsAreArray(alone));
}

// Each of 32 blocks is drawn with chance 4/32; over 4000 jobs that is 500 times, give or take
// sqrt(4000 x 1/8 x 7/8) = 21.
TEST(Random, DrawsEveryBlockEquallyOften) {
  World world(small_platform(8, 8, 4));
  std::map<int, int> drawn;
  for (int id = 0; id < 4000; ++id) {
    const std::vector<int> where = place("random", asking(8, 2, id), world);
    for (std::size_t rank = 0; rank < where.size(); rank += 2) ++drawn[where[rank] / 2];
  }
  EXPECT_EQ(drawn.size(), 32U);
  for (const auto& [block, times] : drawn) EXPECT_NEAR(times, 500, 5 * 21) << "block " << block;
}

}  // namespace
}  // namespace trainyard
