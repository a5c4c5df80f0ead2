#include "collectives/rings/rings.hpp"

#include <algorithm>
#include <cassert>

namespace trainyard {

std::vector<Ring> rings_of(const Collective& collective) {
  if (collective.rings && !collective.rings->empty()) return *collective.rings;
  Ring in_order;
  for (int rank = 0; rank < collective.ranks; ++rank) in_order.order.emplace_back(rank);
  return {in_order};
}

int total_weight(const std::vector<Ring>& rings) {
  int total = 0;
  for (const Ring& ring : rings) total += ring.weight;
  return total;
}

std::vector<Ring> rotated_rings(int ranks, int ranks_per_node, int channels) {
  assert(ranks % ranks_per_node == 0);
  const int g = ranks_per_node;
  std::vector<Ring> rings(static_cast<std::size_t>(channels));
  for (int channel = 0; channel < channels; ++channel)
    for (int node = 0; node < ranks / g; ++node) {
      // Downwards from c round to c+1; upside down in odd nodes.
      std::vector<Rank> locals;
      for (int i = 0; i < g; ++i) locals.emplace_back(node * g + (channel % g - i + g) % g);
      if (node % 2 != 0) std::reverse(locals.begin(), locals.end());
      std::vector<Rank>& order = rings[static_cast<std::size_t>(channel)].order;
      order.insert(order.end(), locals.begin(), locals.end());
    }
  return rings;
}

}  // namespace trainyard
