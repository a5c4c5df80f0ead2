// Which rings a ring algorithm goes round.
#include "collectives/rings/rings.hpp"

#include "collectives/registry.hpp"
#include "collectives/verify.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace trainyard {
namespace {

TEST(RotatedRings, LoadEveryNicAlike) {
  for (const int g : {1, 2, 4, 8})
    for (const int nodes : {2, 3, 4}) {
      std::map<Rank, int> leaves;
      std::map<Rank, int> enters;
      for (const Ring& ring : rotated_rings(g * nodes, g, g))
        for (std::size_t i = 0; i < ring.order.size(); ++i) {
          const Rank from = ring.order[i];
          const Rank to = ring.order[(i + 1) % ring.order.size()];
          if (from.value() / g == to.value() / g) continue;
          ++leaves[from];
          ++enters[to];
        }
      for (int rank = 0; rank < g * nodes; ++rank) {
        EXPECT_EQ(leaves[Rank{rank}], 1);
        EXPECT_EQ(enters[Rank{rank}], 1);
      }
    }
}

TEST(RotatedRings, StayOnOneRailBetweenAnEvenNumberOfNodes) {
  const int g = 8;
  for (const Ring& ring : rotated_rings(4 * g, g, g))
    for (std::size_t i = 0; i < ring.order.size(); ++i) {
      const int from = ring.order[i].value();
      const int to = ring.order[(i + 1) % ring.order.size()].value();
      if (from / g != to / g) {
        EXPECT_EQ(from % g, to % g);
      }
    }
}

// Each of g NICs carries an equal part of what one would: 2(n-1)/n S/g.
TEST(RotatedRings, PutAGthOfTheBufferOnEachNic) {
  const int g = 4;
  const int n = 16;
  Collective all_reduce{CollectiveKind::AllReduce, n, mebibytes(64), g};
  all_reduce.rings = std::make_shared<const std::vector<Ring>>(rotated_rings(n, g, g));
  std::map<Rank, Bytes> through_nic;
  const AlgorithmEntry& ring = *find_algorithm(CollectiveKind::AllReduce, "ring");
  for (const auto& [pair, carried] : bytes_per_edge(ring.phases(all_reduce)))
    if (pair.first.value() / g != pair.second.value() / g) through_nic[pair.first] += carried;
  for (int rank = 0; rank < n; ++rank)
    EXPECT_EQ(through_nic[Rank{rank}].count(), (2 * (n - 1) * mebibytes(64) / n / g).count());
}

}  // namespace
}  // namespace trainyard
