// Two-level all-reduce for k nodes of g ranks: reduce-scatter inside every node, all-reduce across
// the nodes along each rail (the ranks with one local number), all-gather inside every node.
//
// Only S/g passes each NIC, 2(k-1)/k times, instead of nearly 2S through one: that is why it is
// used. The three stages follow each other and are not overlapped.
//
// INVARIANT: share l of the buffer, chunk l of g, is what local rank l of every node reduces; piece
// m of share l is chunk l*k+m of g*k.
#include "collectives/algorithms.hpp"
#include "collectives/algorithms/shape.hpp"

#include <utility>

namespace trainyard {
namespace {

// One edge out of every rank: inside its node if `inside`, otherwise along its rail.
enum class Way { InsideNode, AlongRail };

template <typename Carried>
Phase phase(const Shape& shape, Way way, int rounds, const Carried& carried) {
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(shape.ranks()));
  for (int node = 0; node < shape.nodes; ++node)
    for (int local = 0; local < shape.local_ranks; ++local) {
      const Rank to =
          way == Way::InsideNode ? shape.at(node, local + 1) : shape.at(node + 1, local);
      edges.push_back({shape.at(node, local), to, carried(node, local)});
    }
  return {std::move(edges), rounds};
}

// g-1 steps inside every node at once; in step t, local rank l passes on share l + first - t.
void append_inside(Schedule& schedule, const Shape& shape, int first, bool reduce) {
  const auto [g, k] = shape;
  for (int t = 0; t < g - 1; ++t) {
    Step step;
    for (int node = 0; node < k; ++node)
      for (int local = 0; local < g; ++local) {
        const int share = (local + first - t + g) % g;
        for (int piece = 0; piece < k; ++piece)
          step.push_back(
              {shape.at(node, local), shape.at(node, local + 1), share * k + piece, reduce});
      }
    schedule.steps.push_back(std::move(step));
  }
}

// k-1 steps along all rails at once; in step t, node d passes on piece d + first - t.
void append_across(Schedule& schedule, const Shape& shape, int first, bool reduce) {
  const auto [g, k] = shape;
  for (int t = 0; t < k - 1; ++t) {
    Step step;
    for (int node = 0; node < k; ++node)
      for (int local = 0; local < g; ++local) {
        const int piece = (node + first - t + k) % k;
        step.push_back(
            {shape.at(node, local), shape.at(node + 1, local), local * k + piece, reduce});
      }
    schedule.steps.push_back(std::move(step));
  }
}

}  // namespace

bool two_level_applies(const Collective& collective) { return is_several_nodes(collective); }

// As in ring.cpp, each pass spares an edge one share, or one piece.
std::vector<Phase> two_level_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  const Shape shape = shape_of(collective);
  const Bytes size = collective.size;
  const auto [g, k] = shape;
  const auto share = [size, g = g](int l) { return chunk_bytes(size, g, l % g); };
  const auto piece = [size, g = g, k = k](int l, int m) {
    return chunk_bytes(size, std::int64_t{g} * k, std::int64_t{l} * k + m % k);
  };
  return {
      phase(shape, Way::InsideNode, g - 1, [&](int, int local) { return size - share(local); }),
      phase(shape, Way::AlongRail, 2 * (k - 1),
            [&](int node, int local) {
              return 2 * share(local) - piece(local, node + 1) - piece(local, node + 2);
            }),
      phase(shape, Way::InsideNode, g - 1, [&](int, int local) { return size - share(local + 1); }),
  };
}

Schedule two_level(const Collective& collective) {
  if (collective.ranks == 1) return {1, 1, {}};
  const Shape shape = shape_of(collective);
  Schedule schedule{collective.ranks, /*chunks=*/collective.ranks, {}};
  append_inside(schedule, shape, /*first=*/-1, /*reduce=*/true);
  append_across(schedule, shape, /*first=*/0, /*reduce=*/true);
  append_across(schedule, shape, /*first=*/1, /*reduce=*/false);
  append_inside(schedule, shape, /*first=*/0, /*reduce=*/false);
  return schedule;
}

}  // namespace trainyard
