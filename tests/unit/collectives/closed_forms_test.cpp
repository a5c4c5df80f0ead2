// The textbook's times and bytes, from the phases: alpha for a latency, B for a link, no sharing
// but that of a rank's own port.
#include "cases.hpp"
#include "collectives/verify.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {
namespace {

constexpr Seconds kAlpha = microseconds(2);
constexpr Bandwidth kLink = gigabytes_per_second(50);
constexpr Bandwidth kNvlink = gigabytes_per_second(450);

// What one rank sends in a phase, at most.
Bytes most_sent(const Phase& phase) {
  std::map<Rank, Bytes> sent;
  for (const auto& [pair, carried] : bytes_per_edge(std::vector<Phase>{phase}))
    sent[pair.first] += carried;
  Bytes most;
  for (const auto& [rank, total] : sent) most = std::max(most, total);
  return most;
}

Seconds time_of(const Collective& collective, const char* name, Bandwidth link = kLink) {
  Seconds total;
  for (const Phase& phase : find_algorithm(collective.kind, name)->phases(collective))
    total += phase.rounds * kAlpha + most_sent(phase) / link;
  return total;
}

// Sizes here are a multiple of every rank count used, so that the textbook's S/n is whole.
const std::vector<int> kRanks = {2, 3, 5, 8, 16, 60};
constexpr Bytes kSize = mebibytes(240);

void expect_same(Seconds actual, Seconds expected) { EXPECT_NEAR(actual / expected, 1, 1e-12); }

TEST(RingAllReduce, TakesTwiceNMinusOneRoundsOfANthOfTheBuffer) {
  for (const int n : kRanks)
    expect_same(time_of({CollectiveKind::AllReduce, n, kSize}, "ring"),
                2 * (n - 1) * (kAlpha + kSize / n / kLink));
}

TEST(RingAllGatherAndReduceScatter, TakeNMinusOneRoundsOfANthOfTheBuffer) {
  for (const int n : kRanks)
    for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter})
      expect_same(time_of({kind, n, kSize}, "ring"), (n - 1) * (kAlpha + kSize / n / kLink));
}

TEST(AllToAll, DirectOrPairwiseDiffersInLatencyOnly) {
  for (const int n : kRanks) {
    const Collective all_to_all{CollectiveKind::AllToAll, n, kSize};
    const Seconds sending = (n - 1) * (kSize / n / kLink);
    expect_same(time_of(all_to_all, "pairwise"), (n - 1) * kAlpha + sending);
    expect_same(time_of(all_to_all, "direct"), kAlpha + sending);
  }
}

TEST(BinomialBroadcast, SendsTheWholeBufferLogarithmicallyOften) {
  for (int n = 2; n <= 64; ++n)
    expect_same(time_of({CollectiveKind::Broadcast, n, kSize}, "binomial"),
                std::ceil(std::log2(n)) * (kAlpha + kSize / kLink));
}

// 512 KiB a chunk: fewer chunks than edges, as many, and more. Latency once a hop. Phases that are
// pipelined together share the time of the rank that sends most.
TEST(ChainBroadcast, TakesNMinusTwoStepsToFillAndThenOneForEachChunk) {
  for (const int c : {1, 2, 7, 64, 1024})
    for (const int n : kRanks) {
      const Bytes size = c * kibibytes(512);
      const AlgorithmEntry& chain = *find_algorithm(CollectiveKind::Broadcast, "chain");
      Seconds total;
      Bytes most;
      for (const Phase& phase : chain.phases({CollectiveKind::Broadcast, n, size})) {
        if (!phase.with_previous) {
          total += most / kLink;
          most = bytes(0);
        }
        total += phase.rounds * kAlpha;
        most = std::max(most, most_sent(phase));
      }
      expect_same(total + most / kLink, (n - 1) * kAlpha + (n - 2 + c) * (size / c / kLink));
    }
}

TEST(ChainBroadcast, CutsABufferIntoSlicesAndAShortOneNotAtAll) {
  const AlgorithmEntry& chain = *find_algorithm(CollectiveKind::Broadcast, "chain");
  const auto chunks = [&](Bytes size) {
    return chain.expand({CollectiveKind::Broadcast, 4, size}).chunks;
  };
  EXPECT_EQ(chunks(bytes(0)), 1);
  EXPECT_EQ(chunks(kibibytes(1024) - bytes(1)), 1);
  EXPECT_EQ(chunks(kibibytes(1024)), 2);
  EXPECT_EQ(chunks(gibibytes(4)), 8192);
}

// 1,024 ranks and 1 GiB: 1022 + 2048 steps of 512 KiB, 1.5 times the buffer.
TEST(ChainBroadcast, OverManyRanksIsStillTwoStretchesOfBytes) {
  const Collective broadcast{CollectiveKind::Broadcast, 1024, gibibytes(1)};
  const auto phases = find_algorithm(CollectiveKind::Broadcast, "chain")->phases(broadcast);
  EXPECT_EQ(std::count_if(phases.begin(), phases.end(),
                          [](const Phase& phase) { return !phase.with_previous; }),
            2);
}

// Each of ceil(log2 n) rounds pays its latency; together they carry a ring's bytes.
TEST(Pat, TakesLogarithmicallyManyLatenciesAndARingsBytes) {
  for (const auto& [n, rounds] : {std::pair{2, 1}, {5, 3}, {16, 4}, {33, 6}}) {
    const Bytes size = bytes(n * (std::int64_t{1} << 20));
    const Seconds expected = rounds * kAlpha + (n - 1) * mebibytes(1) / kLink;
    expect_same(time_of({CollectiveKind::AllGather, n, size}, "pat"), expected);
    expect_same(time_of({CollectiveKind::ReduceScatter, n, size}, "pat"), expected);
  }
}

TEST(SendRecv, OfManyRanksIsAsLongAsOfTwo) {
  expect_same(time_of({CollectiveKind::SendRecv, 7, kSize}, "send_recv"), kAlpha + kSize / kLink);
}

TEST(SendRecv, IsOneLatencyAndTheMessage) {
  expect_same(time_of({CollectiveKind::SendRecv, 2, kSize}, "send_recv"), kAlpha + kSize / kLink);
}

TEST(TwoLevelAllReduce, PutsOnlyItsShareOnTheSlowerLinksBetweenNodes) {
  const std::int64_t g = 8;
  const std::int64_t k = 5;
  const Collective all_reduce{CollectiveKind::AllReduce, 8 * 5, kSize, 8};
  const auto phases = find_algorithm(CollectiveKind::AllReduce, "two_level")->phases(all_reduce);
  ASSERT_EQ(phases.size(), 3U);
  const Bytes inside = most_sent(phases[0]) + most_sent(phases[2]);
  const Bytes across = most_sent(phases[1]);
  expect_same(inside / kNvlink + across / kLink,
              2 * (g - 1) * kSize / g / kNvlink + 2 * (k - 1) * kSize / (g * k) / kLink);
  EXPECT_EQ(phases[0].rounds + phases[1].rounds + phases[2].rounds, 2 * (g - 1) + 2 * (k - 1));
}

// ---- Bytes on the wire, for sizes that divide by nothing ----

// The bytes over all pairs for which `counts(from, to)`.
template <typename Counts>
Bytes wire_bytes(const AlgorithmEntry& algorithm, const Collective& collective,
                 const Counts& counts) {
  Bytes total;
  for (const auto& [pair, carried] : bytes_per_edge(algorithm.phases(collective)))
    if (counts(pair.first, pair.second)) total += carried;
  return total;
}

// What every algorithm of the kind must move: each of n ranks but one adds or gets each byte, and
// in an all-reduce both.
Bytes bytes_needed(const Collective& collective) {
  const std::int64_t n = collective.ranks;
  Bytes rooted;  // what is not the root's own
  for (int rank = 0; rank < n; ++rank)
    if (Rank{rank} != collective.root) rooted += chunk_bytes(collective.size, n, rank);
  Bytes pairs;
  for (int from = 0; from < n; ++from)
    for (int to = 0; to < n; ++to)
      if (from != to) pairs += pair_bytes(collective, from, to);
  switch (collective.kind) {
    case CollectiveKind::AllReduce:
      return 2 * (n - 1) * collective.size;
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
      return rooted;
    case CollectiveKind::AllToAllV:
      return pairs;
    case CollectiveKind::Barrier:
      return bytes(0);
    case CollectiveKind::SendRecv:  // of two, the first sends; of more, each to the next
      return (n == 2 ? 1 : n) * collective.size;
    default:
      return (n - 1) * collective.size;
  }
}

// In units of the buffer, over all n = g k ranks, for those that move more or less than that.
Bytes bytes_moved(const AlgorithmEntry& algorithm, const Collective& collective) {
  const std::int64_t n = collective.ranks;
  const std::int64_t g = collective.ranks_per_node;
  const std::int64_t k = n / g;
  const std::string name = algorithm.name;
  const bool all_reduce = algorithm.kind == CollectiveKind::AllReduce;
  const Bytes needed = bytes_needed(collective);
  if (n == 1) return bytes(0);
  if (name == "recursive_doubling") {
    std::int64_t rounds = 0;
    while (1 << rounds < n) ++rounds;
    return rounds * n * collective.size;
  }
  // Into the switches and out of them: all of each rank, and a share each.
  if (name == "nvls") return (all_reduce ? 2 : 1) * (n + 1) * collective.size;
  if (name == "nvls_tree") return 2 * (k * (g + 1) + k - 1) * collective.size;
  if (name == "sharp") return 2 * (k * (g - 1) + k) * collective.size;
  return needed;
}

// What a relay sends on a second time.
bool relays(const AlgorithmEntry& algorithm) {
  return is_named(algorithm, {"bruck", "hierarchical"});
}

TEST(EveryAlgorithm, PutsExactlyTheBytesOfItsClosedFormOnTheWire) {
  for (const Bytes size : even_and_odd_sizes())
    for_every_case(size, [](const AlgorithmEntry& algorithm, const Collective& collective) {
      if (relays(algorithm)) return;
      const auto any = [](Rank, Rank) { return true; };
      EXPECT_EQ(wire_bytes(algorithm, collective, any).count(),
                bytes_moved(algorithm, collective).count());
    });
}

TEST(TwoLevelAllReduce, SendsTwoKMinusOneKthsOfAShareThroughEachNic) {
  const AlgorithmEntry& two_level = *find_algorithm(CollectiveKind::AllReduce, "two_level");
  const std::int64_t g = 4;
  const std::int64_t k = 6;
  const Collective collective{CollectiveKind::AllReduce, 4 * 6, kSize, 4};
  for (int rank = 0; rank < 4 * 6; ++rank) {
    const auto through_its_nic = [&](Rank from, Rank to) {
      return from == Rank{rank} && from.value() / g != to.value() / g;
    };
    EXPECT_EQ(wire_bytes(two_level, collective, through_its_nic).count(),
              (2 * (k - 1) * kSize / (g * k)).count());
  }
}

}  // namespace
}  // namespace trainyard
