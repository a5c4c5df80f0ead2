// Two-level all-gather and reduce-scatter for k nodes of g ranks: each rail gathers (ring through
// the nodes), then each node gathers what its rails have (ring inside); a reduce-scatter is that
// backwards. Only (k-1)/n of the buffer passes each NIC, instead of (n-1)/n through one of a node.
#include "collectives/algorithms.hpp"
#include "collectives/algorithms/shape.hpp"

#include <utility>

namespace trainyard {
namespace {

// What local rank l's rail owns: chunk d*g+l of every node d.
std::vector<Bytes> rail_totals(const Collective& collective, const Shape& shape) {
  std::vector<Bytes> totals(static_cast<std::size_t>(shape.local_ranks));
  for (int rank = 0; rank < collective.ranks; ++rank)
    totals[static_cast<std::size_t>(rank % shape.local_ranks)] +=
        chunk_bytes(collective.size, collective.ranks, rank);
  return totals;
}

// `spared` is how many places further on the part that an edge does not carry belongs: 1 in an
// all-gather (its receiver's own), 0 in a reduce-scatter (its sender's own).
Phase along_rails(const Collective& collective, const Shape& shape, int spared) {
  const std::vector<Bytes> totals = rail_totals(collective, shape);
  std::vector<Edge> edges;
  for (int node = 0; node < shape.nodes; ++node)
    for (int local = 0; local < shape.local_ranks; ++local) {
      const Bytes own =
          chunk_bytes(collective.size, collective.ranks, shape.at(node + spared, local).value());
      edges.push_back({shape.at(node, local), shape.at(node + 1, local),
                       totals[static_cast<std::size_t>(local)] - own});
    }
  return {std::move(edges), shape.nodes - 1};
}

Phase inside_nodes(const Collective& collective, const Shape& shape, int spared) {
  const std::vector<Bytes> totals = rail_totals(collective, shape);
  std::vector<Edge> edges;
  for (int node = 0; node < shape.nodes; ++node)
    for (int local = 0; local < shape.local_ranks; ++local) {
      const auto own = static_cast<std::size_t>((local + spared) % shape.local_ranks);
      edges.push_back(
          {shape.at(node, local), shape.at(node, local + 1), collective.size - totals[own]});
    }
  return {std::move(edges), shape.local_ranks - 1};
}

// In step t, node d passes on what belongs to node d + first - t of its rail.
void pass_along_rails(Schedule& schedule, const Shape& shape, int first, bool reduce) {
  const int k = shape.nodes;
  for (int t = 0; t < k - 1; ++t) {
    Step step;
    for (int node = 0; node < k; ++node)
      for (int local = 0; local < shape.local_ranks; ++local)
        step.push_back({shape.at(node, local), shape.at(node + 1, local),
                        shape.at(node + first - t + k, local).value(), reduce});
    schedule.steps.push_back(std::move(step));
  }
}

// In step t, local rank l passes on what belongs to rail l + first - t.
void pass_inside_nodes(Schedule& schedule, const Shape& shape, int first, bool reduce) {
  const int g = shape.local_ranks;
  for (int t = 0; t < g - 1; ++t) {
    Step step;
    for (int node = 0; node < shape.nodes; ++node)
      for (int local = 0; local < g; ++local)
        for (int owner = 0; owner < shape.nodes; ++owner)
          step.push_back({shape.at(node, local), shape.at(node, local + 1),
                          shape.at(owner, local + first - t + g).value(), reduce});
    schedule.steps.push_back(std::move(step));
  }
}

}  // namespace

std::vector<Phase> two_level_all_gather_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  const Shape shape = shape_of(collective);
  return {along_rails(collective, shape, 1), inside_nodes(collective, shape, 1)};
}

Schedule two_level_all_gather(const Collective& collective) {
  Schedule schedule{collective.ranks, collective.ranks, {}};
  if (collective.ranks == 1) return schedule;
  const Shape shape = shape_of(collective);
  pass_along_rails(schedule, shape, /*first=*/0, /*reduce=*/false);
  pass_inside_nodes(schedule, shape, /*first=*/0, /*reduce=*/false);
  return schedule;
}

std::vector<Phase> two_level_reduce_scatter_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  const Shape shape = shape_of(collective);
  return {inside_nodes(collective, shape, 0), along_rails(collective, shape, 0)};
}

Schedule two_level_reduce_scatter(const Collective& collective) {
  Schedule schedule{collective.ranks, collective.ranks, {}};
  if (collective.ranks == 1) return schedule;
  const Shape shape = shape_of(collective);
  pass_inside_nodes(schedule, shape, /*first=*/-1, /*reduce=*/true);
  pass_along_rails(schedule, shape, /*first=*/-1, /*reduce=*/true);
  return schedule;
}

}  // namespace trainyard
