// The cases that the property tests run over: every registered algorithm, at 1 to 64 ranks, with
// sizes that are and are not divisible by anything.
#pragma once

#include "collectives/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace trainyard {

inline std::vector<Bytes> even_and_odd_sizes() {
  return {bytes(1), bytes(7), bytes(1000003), mebibytes(64), mebibytes(64) + bytes(3)};
}

// Every way of putting `ranks` on nodes of equally many; 1 a node counts as irregular.
inline std::vector<int> node_sizes(int ranks) {
  std::vector<int> sizes;
  for (int size = 1; size <= ranks; ++size)
    if (ranks % size == 0) sizes.push_back(size);
  return sizes;
}

// Those of the collectives with this many ranks for which the algorithm does something different.
inline std::vector<Collective> collectives_of(const AlgorithmEntry& algorithm, int ranks,
                                              Bytes size) {
  std::vector<Collective> all;
  for (const int ranks_per_node : node_sizes(ranks)) {
    // The root is neither the first nor the last rank, where there are enough.
    const Collective collective{algorithm.kind, ranks, size, ranks_per_node, Rank{ranks / 2}};
    const bool uses_nodes = std::string(algorithm.name) == "two_level";
    if (algorithm.applies(collective) && (uses_nodes || ranks_per_node == 1))
      all.push_back(collective);
  }
  return all;
}

inline std::string describe(const AlgorithmEntry& algorithm, const Collective& collective) {
  return std::string(to_string(algorithm.kind)) + " " + algorithm.name + ", " +
         std::to_string(collective.ranks) + " ranks, " + std::to_string(collective.ranks_per_node) +
         " a node, " + std::to_string(collective.size.count()) + " B";
}

// Calls check(algorithm, collective) for every case of one size.
template <typename Check>
void for_every_case(Bytes size, const Check& check) {
  for (const AlgorithmEntry& algorithm : algorithms())
    for (int ranks = 1; ranks <= 64; ++ranks)
      for (const Collective& collective : collectives_of(algorithm, ranks, size)) {
        SCOPED_TRACE(describe(algorithm, collective));
        check(algorithm, collective);
        if (testing::Test::HasFailure()) return;
      }
}

}  // namespace trainyard
