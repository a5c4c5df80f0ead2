// The most that can flow between two places of a network of capacities (Dinic 1970).
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard {

class MaxFlow {
public:
  explicit MaxFlow(std::size_t vertices) : edges_of_(vertices) {}
  void add_edge(std::size_t from, std::size_t to, std::int64_t capacity);  // one way
  std::int64_t run(std::size_t source, std::size_t sink);                  // once

  // After run(): what the n-th edge added carries, and whether a vertex is on the source's side of
  // the tightest cut.
  std::int64_t flow(std::size_t edge) const { return edges_[2 * edge + 1].left; }
  bool is_reached(std::size_t vertex) const { return depth_[vertex] != 0; }

private:
  struct Edge {
    std::size_t to;
    std::int64_t left;  // of its capacity; edge e ^ 1 is its reverse
  };
  bool layer(std::size_t source, std::size_t sink);
  std::int64_t push(std::size_t from, std::size_t sink, std::int64_t most);

  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> edges_of_;  // by vertex
  std::vector<std::size_t> depth_, next_;           // by vertex; depth 0 is not reached
};

}  // namespace trainyard
