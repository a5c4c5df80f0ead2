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
  const Phase all{all_pairs(bytes(8), /*ranks=*/4), 2};
  EXPECT_DOUBLE_EQ(in_microseconds(critical_path({edges, all}, by_distance)), 5 * 2 + 2 * 3);
}

TEST(CriticalPath, InASwitchIsTheSlowestWayInAndTheSlowestWayOut) {
  const SwitchPort near{Rank{1}, Rank{2}, bytes(8), bytes(8)};
  const SwitchPort far{Rank{0}, Rank{2}, bytes(8), bytes(8)};
  const Phase phase{InSwitch{{near, far}}, 3};
  EXPECT_DOUBLE_EQ(in_microseconds(critical_path({phase}, by_distance)), 3 * (2 + 2));
}

// A rank that sends one at a time starts the second when the first has arrived; of a stream, each
// chunk waits for itself alone.
TEST(CriticalPath, FollowsTheScheduleSPace) {
  const Step to_3 = {copy(0, 3)};
  const Step to_1 = {copy(0, 1)};
  EXPECT_DOUBLE_EQ(latency_us({4, 1, {to_3, to_1}, Pace::OneAtATime}), 3 + 1);
  const auto chunk = [](int from, int to, int c) {
    return Transfer{Rank{from}, Rank{to}, c, false};
  };
  const std::vector<Step> two_chunks = {
      {chunk(0, 2, 0)}, {chunk(0, 2, 1), chunk(2, 3, 0)}, {chunk(2, 3, 1)}};
  EXPECT_DOUBLE_EQ(latency_us({4, 2, two_chunks, Pace::Rounds}), 2 + 2 + 1);
  EXPECT_DOUBLE_EQ(latency_us({4, 2, two_chunks, Pace::Streamed}), 2 + 1);
}

TEST(BytesPerEdge, AddsUpOverStepsAndPhasesAndLeavesOutPairsWithoutBytes) {
  const Collective gather{CollectiveKind::AllGather, 2, bytes(3)};  // chunks of 1 and 2 bytes
  const Schedule twice{2, 2, {{{Rank{1}, Rank{0}, 1, false}}, {{Rank{1}, Rank{0}, 0, false}}}};
  const EdgeBytes expected = {{{Rank{1}, Rank{0}}, bytes(3)}};
  EXPECT_TRUE(bytes_per_edge(gather, twice) == expected);
  const Phase first{std::vector<Edge>{{Rank{1}, Rank{0}, bytes(1)}, {Rank{0}, Rank{1}, bytes(0)}}};
  const Phase second{std::vector<Edge>{{Rank{1}, Rank{0}, bytes(2)}}};
  EXPECT_TRUE(bytes_per_edge({first, second}) == expected);
}

TEST(BytesPerEdge, OfGroupsJoinsOnlyRanksOfOneGroup) {
  const std::vector<Bytes> to = {bytes(1), bytes(2), bytes(3), bytes(4)};
  const auto of = [&](int group, int stride) {
    return bytes_per_edge({Phase{AllPairs{group, stride, to}}});
  };
  const auto pair = [](int from, int to_rank) { return std::pair(Rank{from}, Rank{to_rank}); };
  const EdgeBytes nodes = {{pair(0, 1), bytes(2)},
                           {pair(1, 0), bytes(1)},
                           {pair(2, 3), bytes(4)},
                           {pair(3, 2), bytes(3)}};
  const EdgeBytes rails = {{pair(0, 2), bytes(3)},
                           {pair(2, 0), bytes(1)},
                           {pair(1, 3), bytes(4)},
                           {pair(3, 1), bytes(2)}};
  EXPECT_TRUE(of(2, 1) == nodes);
  EXPECT_TRUE(of(2, 2) == rails);
}

TEST(BytesPerEdge, OfAllPairsIsTheChunkOfTheReceiver) {
  const EdgeBytes expected = {{{Rank{0}, Rank{1}}, bytes(2)}, {{Rank{1}, Rank{0}}, bytes(1)}};
  EXPECT_TRUE(bytes_per_edge({Phase{all_pairs(bytes(3), 2)}}) == expected);
}

}  // namespace
}  // namespace trainyard
