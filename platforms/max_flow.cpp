#include "platforms/max_flow.hpp"

#include <algorithm>
#include <limits>

namespace trainyard {

void MaxFlow::add_edge(std::size_t from, std::size_t to, std::int64_t capacity) {
  edges_of_[from].push_back(edges_.size());
  edges_.push_back({to, capacity});
  edges_of_[to].push_back(edges_.size());
  edges_.push_back({from, 0});
}

// Depths over edges with capacity left; whether the sink is reached.
bool MaxFlow::layer(std::size_t source, std::size_t sink) {
  depth_.assign(edges_of_.size(), 0);
  depth_[source] = 1;
  std::vector<std::size_t> reached = {source};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const std::size_t id : edges_of_[reached[i]]) {
      const Edge& edge = edges_[id];
      if (edge.left == 0 || depth_[edge.to] != 0) continue;
      depth_[edge.to] = depth_[reached[i]] + 1;
      reached.push_back(edge.to);
    }
  return depth_[sink] != 0;
}

std::int64_t MaxFlow::push(std::size_t from, std::size_t sink, std::int64_t most) {
  if (from == sink) return most;
  std::int64_t pushed = 0;
  for (; next_[from] < edges_of_[from].size() && pushed < most; ++next_[from]) {
    const std::size_t id = edges_of_[from][next_[from]];
    if (edges_[id].left == 0 || depth_[edges_[id].to] != depth_[from] + 1) continue;
    const std::int64_t more = push(edges_[id].to, sink, std::min(most - pushed, edges_[id].left));
    edges_[id].left -= more;
    edges_[id ^ 1U].left += more;
    pushed += more;
    if (pushed == most) break;  // this edge may carry more yet
  }
  return pushed;
}

std::int64_t MaxFlow::run(std::size_t source, std::size_t sink) {
  std::int64_t total = 0;
  while (layer(source, sink)) {
    next_.assign(edges_of_.size(), 0);
    total += push(source, sink, std::numeric_limits<std::int64_t>::max());
  }
  return total;
}

}  // namespace trainyard
