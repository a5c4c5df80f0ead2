// The cases that the property tests run over: every registered algorithm, at 1 to 64 ranks, with
// sizes that are and are not divisible by anything.
#pragma once

#include "collectives/registry.hpp"
#include "collectives/rings/rings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace trainyard {

inline std::vector<Bytes> even_and_odd_sizes() {
  return {bytes(1), bytes(7), bytes(1000003), mebibytes(64), mebibytes(64) + bytes(3)};
}

// Ways of putting `ranks` on nodes of equally many; 1 a node counts as irregular.
inline std::vector<int> node_sizes(int ranks) {
  std::vector<int> sizes;
  for (int size = 1; size <= ranks; ++size) {
    const bool telling = size <= 3 || size == 8 || size == ranks / 2 || size == ranks;
    if (telling && ranks % size == 0) sizes.push_back(size);
  }
  return sizes;
}

inline bool is_named(const AlgorithmEntry& algorithm, const std::set<std::string>& names) {
  return names.count(algorithm.name) != 0;
}

// Whose pattern depends on who sits on which node. A ring does if it has several channels.
inline bool uses_nodes(const AlgorithmEntry& algorithm) {
  return is_named(algorithm, {"two_level", "double_binary_tree", "nvls", "nvls_tree", "sharp",
                              "hierarchical", "ring"});
}

// Of unequal weights, so that a part is not a whole number of shares.
inline std::shared_ptr<const std::vector<Ring>> some_rings(int ranks, int ranks_per_node) {
  std::vector<Ring> rings = rotated_rings(ranks, ranks_per_node, std::min(ranks_per_node, 3));
  rings.back().weight = 2;
  return std::make_shared<const std::vector<Ring>>(std::move(rings));
}

// A different size for every pair; some of none.
inline std::shared_ptr<const std::vector<Bytes>> some_sizes(int ranks, Bytes size) {
  std::vector<Bytes> sizes;
  for (std::int64_t pair = 0; pair < std::int64_t{ranks} * ranks; ++pair)
    sizes.push_back(size * (pair % 5) / ranks);
  return std::make_shared<const std::vector<Bytes>>(std::move(sizes));
}

// Those of the collectives with this many ranks for which the algorithm does something different.
inline std::vector<Collective> collectives_of(const AlgorithmEntry& algorithm, int ranks,
                                              Bytes size) {
  std::vector<Collective> all;
  for (const int ranks_per_node : node_sizes(ranks)) {
    // The root is neither the first nor the last rank, where there are enough.
    Collective collective{algorithm.kind, ranks, size, ranks_per_node, Rank{ranks / 2}};
    if (is_named(algorithm, {"ring"}) && ranks_per_node > 1)
      collective.rings = some_rings(ranks, ranks_per_node);
    if (algorithm.kind == CollectiveKind::AllToAllV)
      collective.pair_sizes = some_sizes(ranks, size);
    if (algorithm.applies(collective) && (uses_nodes(algorithm) || ranks_per_node == 1))
      all.push_back(collective);
  }
  return all;
}

inline std::string describe(const AlgorithmEntry& algorithm, const Collective& collective) {
  return std::string(to_string(algorithm.kind)) + " " + algorithm.name + ", " +
         std::to_string(collective.ranks) + " ranks, " + std::to_string(collective.ranks_per_node) +
         " a node, " + std::to_string(collective.size.count()) + " B";
}

inline std::vector<int> all_ranks() {
  std::vector<int> all;
  for (int ranks = 1; ranks <= 64; ++ranks) all.push_back(ranks);
  return all;
}
// For what takes long: small numbers, and around powers of two.
inline std::vector<int> some_ranks() {
  return {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 30, 32, 33, 64};
}

// Calls check(algorithm, collective) for every case of one size.
template <typename Check>
void for_every_case(Bytes size, const Check& check, const std::vector<int>& counts = all_ranks()) {
  for (const AlgorithmEntry& algorithm : algorithms())
    for (const int ranks : counts)
      for (const Collective& collective : collectives_of(algorithm, ranks, size)) {
        SCOPED_TRACE(describe(algorithm, collective));
        check(algorithm, collective);
        if (testing::Test::HasFailure()) return;
      }
}

}  // namespace trainyard
