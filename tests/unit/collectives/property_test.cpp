// What holds for every algorithm in the registry: it does what its collective asks, and its two
// derivations (phases and schedule) agree in bytes and in latency.
#include "base/rng.hpp"
#include "cases.hpp"
#include "collectives/verify.hpp"

namespace trainyard {
namespace {

bool same(const Schedule& a, const Schedule& b) {
  const auto equal = [](const Transfer& x, const Transfer& y) {
    return x.from == y.from && x.to == y.to && x.chunk == y.chunk && x.reduce == y.reduce;
  };
  const auto equal_steps = [&](const Step& x, const Step& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
  };
  return a.ranks == b.ranks && a.chunks == b.chunks &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), equal_steps);
}

// verify() does not look at sizes: what is the same schedule as for one byte is proved with it.
TEST(EveryAlgorithm, DoesWhatItsCollectiveAsks) {
  for (const Bytes size : even_and_odd_sizes())
    for_every_case(size, [](const AlgorithmEntry& algorithm, const Collective& collective) {
      const Schedule schedule = algorithm.expand(collective);
      Collective one_byte = collective;
      one_byte.size = bytes(1);
      if (collective.size > bytes(1) && same(schedule, algorithm.expand(one_byte))) return;
      EXPECT_EQ(verify(collective, schedule), "");
    });
}

TEST(EveryAlgorithm, CarriesTheSameBytesOverEachEdgeInItsPhasesAsInItsSchedule) {
  const auto check = [](const AlgorithmEntry& algorithm, const Collective& collective) {
    const EdgeBytes fast = bytes_per_edge(algorithm.phases(collective));
    const EdgeBytes slow = bytes_per_edge(collective, algorithm.expand(collective));
    EXPECT_TRUE(fast == slow);
  };
  for_every_case(bytes(1000003), check);
  for (const Bytes size : even_and_odd_sizes()) for_every_case(size, check, some_ranks());
}

TEST(EveryAlgorithm, HasTheSameLatencyInItsPhasesAsInItsScheduleWhenAllEdgesAreAlike) {
  const auto alike = [](Rank, Rank) { return microseconds(2); };
  const auto check = [&](const AlgorithmEntry& algorithm, const Collective& collective) {
    const Seconds fast = critical_path(algorithm.phases(collective), alike);
    const Seconds slow = critical_path(algorithm.expand(collective), alike);
    EXPECT_NEAR(in_microseconds(fast), in_microseconds(slow), 1e-9);
  };
  for (const Bytes size : {bytes(1), mebibytes(64)}) for_every_case(size, check, some_ranks());
}

// Any table of latencies, the same each time it is asked: hashed, so that no table is stored.
EdgeLatency scattered(std::uint64_t seed) {
  return [seed](Rank from, Rank to) {
    const std::uint64_t hash = mix(mix(seed + from.index()) + to.index());
    return microseconds(1 + static_cast<double>(hash % 1000) / 100);
  };
}

// An edge that is slower than all others is a chain of its own: each of its transfers waits for
// the one before.
TEST(Rings, WithUnequalEdgesHaveTheSameLatencyInTheirPhasesAsInTheirSchedule) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for_every_case(mebibytes(64), [&](const AlgorithmEntry& algorithm, const Collective& all) {
      if (std::string(algorithm.name) != "ring") return;
      const EdgeLatency latency = scattered(seed);
      const Seconds fast = critical_path(algorithm.phases(all), latency);
      const Seconds slow = critical_path(algorithm.expand(all), latency);
      EXPECT_NEAR(in_microseconds(fast), in_microseconds(slow), 1e-9);
    });
}

TEST(TwoLevel, WithFastEdgesInsideNodesHasTheSameLatencyInItsPhasesAsInItsSchedule) {
  for_every_case(mebibytes(64), [](const AlgorithmEntry& algorithm, const Collective& all) {
    if (std::string(algorithm.name) != "two_level") return;
    const EdgeLatency latency = [&](Rank from, Rank to) {
      const bool inside = from.value() / all.ranks_per_node == to.value() / all.ranks_per_node;
      return inside ? microseconds(0.6) : microseconds(5);
    };
    const Seconds fast = critical_path(algorithm.phases(all), latency);
    const Seconds slow = critical_path(algorithm.expand(all), latency);
    EXPECT_NEAR(in_microseconds(fast), in_microseconds(slow), 1e-9);
  });
}

TEST(OneRank, HasNothingToDo) {
  for (const AlgorithmEntry& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    const Collective alone{algorithm.kind, 1, mebibytes(1), 1, Rank{0}};
    EXPECT_TRUE(algorithm.phases(alone).empty());
    EXPECT_TRUE(algorithm.expand(alone).steps.empty());
  }
}

TEST(Phases, OfManyThousandRanksStaySmall) {
  const int ranks = 16384;
  const auto edges = [](const Phase& phase) {
    return static_cast<int>(std::get<std::vector<Edge>>(phase.pattern).size());
  };
  const auto plan = [](const char* name, const Collective& collective) {
    return find_algorithm(collective.kind, name)->phases(collective);
  };
  const auto ring = plan("ring", {CollectiveKind::AllReduce, ranks, gibibytes(1)});
  ASSERT_EQ(ring.size(), 1U);
  EXPECT_EQ(edges(ring[0]), ranks);
  const auto two_level = plan("two_level", {CollectiveKind::AllReduce, ranks, gibibytes(1), 8});
  ASSERT_EQ(two_level.size(), 3U);
  for (const Phase& phase : two_level) EXPECT_EQ(edges(phase), ranks);
  const auto direct = plan("direct", {CollectiveKind::AllToAll, ranks, gibibytes(1)});
  ASSERT_EQ(direct.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<AllPairs>(direct[0].pattern));
}

}  // namespace
}  // namespace trainyard
