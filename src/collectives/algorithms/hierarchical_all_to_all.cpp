// All-to-all for k nodes of g ranks by rails (NCCL's PXN): what is for rank l of any node goes to
// the own node's rank l over NVLink, then along rail l to its node, all that a node has for it as
// one message.
//
// Messages between nodes are g times longer and g times fewer than sent directly, and none crosses
// rails.
#include "collectives/algorithms.hpp"
#include "collectives/algorithms/shape.hpp"

#include <utility>

namespace trainyard {

bool hierarchical_applies(const Collective& collective) { return is_several_nodes(collective); }

std::vector<Phase> hierarchical_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  const auto [g, k] = shape_of(collective);
  std::vector<Bytes> of_rail(static_cast<std::size_t>(g));  // each rank's for all ranks of a rail
  for (int to = 0; to < collective.ranks; ++to)
    of_rail[static_cast<std::size_t>(to % g)] += chunk_bytes(collective.size, collective.ranks, to);
  AllPairs inside{/*group=*/g, /*stride=*/1, {}};
  AllPairs along{/*group=*/k, /*stride=*/g, {}};
  for (int to = 0; to < collective.ranks; ++to) {
    inside.to.push_back(of_rail[static_cast<std::size_t>(to % g)]);
    along.to.push_back(g * chunk_bytes(collective.size, collective.ranks, to));
  }
  return {Phase{std::move(inside), /*rounds=*/1}, Phase{std::move(along), /*rounds=*/1}};
}

Schedule hierarchical(const Collective& collective) {
  const int n = collective.ranks;
  Schedule schedule{n, /*chunks=*/n * n, {}};
  if (n == 1) return schedule;
  const Shape shape = shape_of(collective);
  const int g = shape.local_ranks;
  Step inside;
  Step along;
  for (int from = 0; from < n; ++from)
    for (int to = 0; to < n; ++to) {
      const Rank relay =
          shape.at(from / g, to % g);  // of the sender's node and the receiver's rail
      const int chunk = from * n + to;
      if (relay != Rank{from}) inside.push_back({Rank{from}, relay, chunk, /*reduce=*/false});
      if (relay != Rank{to}) along.push_back({relay, Rank{to}, chunk, /*reduce=*/false});
    }
  schedule.steps = {std::move(inside), std::move(along)};
  return schedule;
}

}  // namespace trainyard
