#include "collectives/algorithms/trees.hpp"

#include <algorithm>

namespace trainyard {
namespace {

// NCCL's binary tree that alternates leaves and inner places: odd places are leaves; a place with
// lowest bit b hangs below the one with the next bit set, or, where there is none, below the one
// without b.
int parent_in_first(int place, int n) {
  if (place == 0) return -1;
  int bit = 1;
  while ((place & bit) == 0) bit <<= 1;
  const int up = (place ^ bit) | (bit << 1);
  return up < n ? up : place ^ bit;
}

}  // namespace

// The second is the first mirrored (n even) or shifted by one (n odd).
std::vector<int> binary_tree_parents(int n, bool second) {
  std::vector<int> parents(static_cast<std::size_t>(n));
  const auto image = [n](int place) { return n % 2 == 0 ? n - 1 - place : (place + 1) % n; };
  for (int place = 0; place < n; ++place) {
    const int parent = parent_in_first(place, n);
    if (!second) parents[static_cast<std::size_t>(place)] = parent;
    if (second) parents[static_cast<std::size_t>(image(place))] = parent < 0 ? -1 : image(parent);
  }
  return parents;
}

int Tree::depth() const {
  int deepest = 0;
  for (const TreeEdge& edge : edges) deepest = std::max(deepest, edge.depth);
  return deepest;
}

Tree make_tree(const std::vector<int>& parents, const std::vector<Rank>& places) {
  Tree tree;
  for (std::size_t place = 0; place < parents.size(); ++place) {
    if (parents[place] < 0) continue;
    int depth = 0;
    for (int up = static_cast<int>(place); parents[static_cast<std::size_t>(up)] >= 0; ++depth)
      up = parents[static_cast<std::size_t>(up)];
    tree.edges.push_back({places[place], places[static_cast<std::size_t>(parents[place])], depth});
  }
  return tree;
}

int tree_chunks(Bytes size) {
  return static_cast<int>(std::clamp<std::int64_t>(size.count() / kibibytes(512).count(), 1, 256));
}

void append_edges(const Tree& tree, Bytes size, std::vector<Edge>& edges) {
  for (const TreeEdge& edge : tree.edges) {
    edges.push_back({edge.child, edge.parent, size});
    edges.push_back({edge.parent, edge.child, size});
  }
}

// Chunk i leaves depth d upwards in step D-d+i and reaches it downwards in step D+d-1+i.
void append_streamed(Schedule& schedule, const Tree& tree, const Streamed& what) {
  const int deepest = tree.depth();
  const auto needed = static_cast<std::size_t>(what.start + 2 * deepest + what.chunks - 1);
  if (schedule.steps.size() < needed) schedule.steps.resize(needed);
  const auto step = [&](int at) -> Step& {
    return schedule.steps[static_cast<std::size_t>(what.start + at)];
  };
  for (const TreeEdge& edge : tree.edges)
    for (int i = 0; i < what.chunks; ++i) {
      const std::int32_t chunk = what.first_chunk + i;
      step(deepest - edge.depth + i)
          .push_back({edge.child, edge.parent, chunk, /*reduce=*/true, what.channel});
      step(deepest + edge.depth - 1 + i)
          .push_back({edge.parent, edge.child, chunk, /*reduce=*/false, what.channel});
    }
}

}  // namespace trainyard
