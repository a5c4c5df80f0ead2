// SHARP (NCCL's CollNet): the switches of the fabric add up on the way in and copy on the way out,
// so each NIC carries its data once up and once down, and latency does not grow with n.
//
// With g ranks a node, the ranks of a node first add up share l at local rank l (every pair at
// once), rail l's tree reduces it, and they give it to each other again; the three are pipelined.
#include "collectives/algorithms.hpp"
#include "collectives/algorithms/shape.hpp"

#include <utility>

namespace trainyard {
namespace {

// Rail l's tree of switches, as a rank of the schedule.
Rank tree_of(const Shape& shape, int rail) { return Rank{shape.ranks() + rail}; }

enum class Direct { Reduce, Gather };

// Calls visit(from, to, share) for every pair inside every node.
template <typename Visit>
void each_inside(const Shape& shape, Direct direct, const Visit& visit) {
  for (int node = 0; node < shape.nodes; ++node)
    for (int from = 0; from < shape.local_ranks; ++from)
      for (int to = 0; to < shape.local_ranks; ++to)
        if (from != to)
          visit(shape.at(node, from), shape.at(node, to), direct == Direct::Reduce ? to : from);
}

Phase inside(const Collective& collective, Direct direct) {
  const Shape shape = shape_of(collective);
  std::vector<Edge> edges;
  each_inside(shape, direct, [&](Rank from, Rank to, int share) {
    edges.push_back({from, to, chunk_bytes(collective.size, shape.local_ranks, share)});
  });
  return {std::move(edges), /*rounds=*/1, /*with_previous=*/direct == Direct::Gather};
}

void append_inside(Schedule& schedule, const Shape& shape, Direct direct) {
  Step step;
  each_inside(shape, direct, [&](Rank from, Rank to, int share) {
    step.push_back({from, to, share, direct == Direct::Reduce});
  });
  schedule.steps.push_back(std::move(step));
}

}  // namespace

bool sharp_applies(const Collective& collective) { return !is_one_node(collective); }

std::vector<Phase> sharp_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  const Shape shape = shape_of(collective);
  InSwitch in_switch;
  for (int rank = 0; rank < collective.ranks; ++rank) {
    const int rail = rank % shape.local_ranks;
    const Bytes share = chunk_bytes(collective.size, shape.local_ranks, rail);
    in_switch.ports.push_back({Rank{rank}, tree_of(shape, rail), share, share});
  }
  if (shape.local_ranks == 1) return {Phase{std::move(in_switch), /*rounds=*/1}};
  return {inside(collective, Direct::Reduce),
          {std::move(in_switch), /*rounds=*/1, /*with_previous=*/true},
          inside(collective, Direct::Gather)};
}

Schedule sharp(const Collective& collective) {
  if (collective.ranks == 1) return {1, 1, {}};
  const Shape shape = shape_of(collective);
  const int g = shape.local_ranks;
  Schedule schedule{collective.ranks, /*chunks=*/g, {}, Pace::Streamed, /*switches=*/g};
  if (g > 1) append_inside(schedule, shape, Direct::Reduce);
  Step up;
  Step down;
  for (int rank = 0; rank < collective.ranks; ++rank) {
    up.push_back({Rank{rank}, tree_of(shape, rank % g), rank % g, /*reduce=*/true});
    down.push_back({tree_of(shape, rank % g), Rank{rank}, rank % g, /*reduce=*/false});
  }
  schedule.steps.push_back(std::move(up));
  schedule.steps.push_back(std::move(down));
  if (g > 1) append_inside(schedule, shape, Direct::Gather);
  return schedule;
}

}  // namespace trainyard
