// NCCL's tree all-reduce: a chain inside each node, two complementary binary trees over the nodes,
// half of the data through each; logarithmic latency at nearly the bandwidth of a ring.
//
// With g ranks a node there are g channels of two trees, of which channel c meets the other nodes
// at local rank c, so that every NIC carries its share.
#include "collectives/algorithms.hpp"
#include "collectives/algorithms/shape.hpp"
#include "collectives/algorithms/trees.hpp"

#include <utility>

namespace trainyard {
namespace {

// Of one channel: between the nodes only, and with the chains inside them below.
Tree between_nodes(const Shape& shape, int channel, bool second) {
  std::vector<Rank> heads;
  for (int node = 0; node < shape.nodes; ++node) heads.push_back(shape.at(node, channel));
  return make_tree(binary_tree_parents(shape.nodes, second), heads);
}

Tree whole_tree(const Shape& shape, int channel, bool second) {
  Tree tree = between_nodes(shape, channel, second);
  std::vector<int> depths(static_cast<std::size_t>(shape.ranks()));
  for (const TreeEdge& edge : tree.edges) depths[edge.child.index()] = edge.depth;
  for (int node = 0; node < shape.nodes; ++node)
    for (int below = 1; below < shape.local_ranks; ++below)
      tree.edges.push_back({shape.at(node, channel + below), shape.at(node, channel + below - 1),
                            depths[shape.at(node, channel).index()] + below});
  return tree;
}

Bytes part(const Collective& collective, const Shape& shape, int channel, bool second) {
  return chunk_bytes(collective.size, 2 * shape.local_ranks, 2 * channel + (second ? 1 : 0));
}

// A channel's chains carry both of its trees' parts, up and down.
Phase inside_nodes(const Collective& collective, const Shape& shape) {
  std::vector<Edge> edges;
  for (int channel = 0; channel < shape.local_ranks; ++channel) {
    const Bytes carried = chunk_bytes(collective.size, shape.local_ranks, channel);
    for (int node = 0; node < shape.nodes; ++node)
      for (int i = 0; i + 1 < shape.local_ranks; ++i) {
        const Rank upper = shape.at(node, channel + i);
        const Rank lower = shape.at(node, channel + i + 1);
        edges.push_back({lower, upper, carried});
        edges.push_back({upper, lower, carried});
      }
  }
  return {std::move(edges), 2 * (shape.local_ranks - 1)};
}

}  // namespace

std::vector<Phase> double_binary_tree_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  const Shape shape = shape_of(collective);
  std::vector<Phase> phases;
  if (shape.local_ranks > 1) phases.push_back(inside_nodes(collective, shape));
  if (shape.nodes == 1) return phases;
  std::vector<Edge> edges;
  int depth = 0;
  for (int channel = 0; channel < shape.local_ranks; ++channel)
    for (const bool second : {false, true}) {
      const Tree tree = between_nodes(shape, channel, second);
      append_edges(tree, part(collective, shape, channel, second), edges);
      depth = tree.depth();
    }
  phases.push_back({std::move(edges), 2 * depth, /*with_previous=*/shape.local_ranks > 1});
  return phases;
}

Schedule double_binary_tree(const Collective& collective) {
  if (collective.ranks == 1) return {1, 1, {}};
  const Shape shape = shape_of(collective);
  const int trees = 2 * shape.local_ranks;
  const int chunks = tree_chunks(collective.size / trees);
  Schedule schedule{collective.ranks, trees * chunks, {}, Pace::Streamed};
  for (int tree = 0; tree < trees; ++tree)
    append_streamed(schedule, whole_tree(shape, tree / 2, /*second=*/tree % 2 != 0),
                    {/*start=*/0, tree * chunks, chunks, /*channel=*/tree});
  return schedule;
}

}  // namespace trainyard
