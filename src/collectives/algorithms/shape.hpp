// Which rank sits where, for algorithms that know of nodes.
#pragma once

#include "collectives/collective.hpp"

#include <cassert>

namespace trainyard {

struct Shape {
  int local_ranks;  // g
  int nodes;        // k

  int ranks() const { return local_ranks * nodes; }
  // Both wrap around.
  Rank at(int node, int local) const {
    return Rank{node % nodes * local_ranks + local % local_ranks};
  }
};

// Several nodes of several ranks each.
inline bool is_several_nodes(const Collective& collective) {
  const int g = collective.ranks_per_node;
  return g > 1 && collective.ranks % g == 0 && collective.ranks > g;
}

inline bool is_one_node(const Collective& collective) {
  return collective.ranks > 1 && collective.ranks_per_node == collective.ranks;
}

inline Shape shape_of(const Collective& collective) {
  assert(collective.ranks % collective.ranks_per_node == 0);
  return {collective.ranks_per_node, collective.ranks / collective.ranks_per_node};
}

}  // namespace trainyard
