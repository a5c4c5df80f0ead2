// Trees over ranks, and an all-reduce streamed through them: added up towards the root, copied back
// down, all chunks behind one another.
#pragma once

#include "collectives/collective.hpp"

#include <vector>

namespace trainyard {

struct TreeEdge {
  Rank child, parent;
  int depth;  // of the child; the root's is 0
};

struct Tree {
  std::vector<TreeEdge> edges;
  int depth() const;
};

// NCCL's two complementary binary trees over places 0 .. n-1, as parents (-1: the root): inner
// places of one are leaves of the other, so that together every place sends and gets alike.
std::vector<int> binary_tree_parents(int n, bool second);
Tree make_tree(const std::vector<int>& parents, const std::vector<Rank>& places);

// Enough to keep a deep tree busy, few enough for a plan.
int tree_chunks(Bytes size);

// What one tree carries, `size` up and `size` down on every edge.
void append_edges(const Tree& tree, Bytes size, std::vector<Edge>& edges);

// The chunks first .. first+count-1 through the tree, from step `start` on. The channel keeps trees
// that share an edge apart.
struct Streamed {
  int start, first_chunk, chunks, channel;
};
void append_streamed(Schedule& schedule, const Tree& tree, const Streamed& what);

}  // namespace trainyard
