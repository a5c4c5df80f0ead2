// The two measures by which phases are held against schedules, on schedules small enough to be
// worked out by hand.
#include "collectives/verify.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace trainyard {
namespace {

Transfer copy(int from, int to) { return {Rank{from}, Rank{to}, 0, false}; }

// A microsecond for each rank on the way.
Seconds by_distance(Rank from, Rank to) {
  return microseconds(std::abs(from.value() - to.value()));
}

double latency_us(const Schedule& schedule) {
  return in_microseconds(critical_path(schedule, by_distance));
}

TEST(CriticalPath, OfTransfersToOnePeerIsTheirSumAndToSeveralPeersTheSlowest) {
  EXPECT_DOUBLE_EQ(latency_us({4, 1, {{copy(0, 3)}, {copy(0, 3)}}}), 3 + 3);
  EXPECT_DOUBLE_EQ(latency_us({4, 1, {{copy(0, 3)}, {copy(0, 1)}}}), 3);
}

TEST(CriticalPath, WaitsForEverythingAddressedToTheSenderInEarlierStepsButNotInTheSame) {
  EXPECT_DOUBLE_EQ(latency_us({4, 1, {{copy(0, 2)}, {copy(2, 1)}}}), 2 + 1);
  EXPECT_DOUBLE_EQ(latency_us({4, 1, {{copy(0, 2), copy(2, 1)}}}), 2);
  // Steps are no barrier: rank 3 has nothing to wait for in the second.
  EXPECT_DOUBLE_EQ(latency_us({6, 1, {{copy(0, 2)}, {copy(3, 5)}}}), 2);
}

TEST(CriticalPath, OfPhasesIsRoundsTimesTheSlowestEdgeOneAfterAnother) {
  const Phase edges{std::vector<Edge>{{Rank{0}, Rank{1}, bytes(8)}, {Rank{1}, Rank{3}, bytes(0)}},
                    5};
  const Phase all_pairs{AllPairs{bytes(8)}, 2};
  const Seconds total = critical_path({edges, all_pairs}, /*ranks=*/4, by_distance);
  EXPECT_DOUBLE_EQ(in_microseconds(total), 5 * 2 + 2 * 3);
}

TEST(BytesPerEdge, AddsUpOverStepsAndPhasesAndLeavesOutPairsWithoutBytes) {
  const Collective gather{CollectiveKind::AllGather, 2, bytes(3)};  // chunks of 1 and 2 bytes
  const Schedule twice{2, 2, {{{Rank{1}, Rank{0}, 1, false}}, {{Rank{1}, Rank{0}, 0, false}}}};
  const EdgeBytes expected = {{{Rank{1}, Rank{0}}, bytes(3)}};
  EXPECT_TRUE(bytes_per_edge(gather, twice) == expected);
  const Phase first{std::vector<Edge>{{Rank{1}, Rank{0}, bytes(1)}, {Rank{0}, Rank{1}, bytes(0)}}};
  const Phase second{std::vector<Edge>{{Rank{1}, Rank{0}, bytes(2)}}};
  EXPECT_TRUE(bytes_per_edge(gather, {first, second}) == expected);
}

TEST(BytesPerEdge, OfAllPairsIsTheChunkOfTheReceiver) {
  const Collective all_to_all{CollectiveKind::AllToAll, 2, bytes(3)};
  const EdgeBytes expected = {{{Rank{0}, Rank{1}}, bytes(2)}, {{Rank{1}, Rank{0}}, bytes(1)}};
  EXPECT_TRUE(bytes_per_edge(all_to_all, {Phase{AllPairs{bytes(3)}}}) == expected);
}

}  // namespace
}  // namespace trainyard
