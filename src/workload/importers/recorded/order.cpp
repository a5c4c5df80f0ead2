#include "workload/importers/recorded/order.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <queue>

namespace trainyard {

namespace {

bool as_listed(const std::vector<std::vector<int>>& after) {
  for (std::size_t i = 0; i < after.size(); ++i)
    for (const int before : after[i])
      if (before >= static_cast<int>(i)) return false;
  return true;
}

// By index: the number of the strongly connected component. Two in one wait for each other.
std::vector<int> components(const std::vector<std::vector<int>>& after) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(after.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    for (const int before : after[i]) boost::add_edge(i, static_cast<std::size_t>(before), graph);
  std::vector<int> component(after.size());
  boost::strong_components(graph, boost::make_iterator_property_map(
                                      component.begin(), boost::get(boost::vertex_index, graph)));
  return component;
}

}  // namespace

std::vector<int> topological_order(const std::vector<std::vector<int>>& after) {
  if (as_listed(after)) {
    std::vector<int> order(after.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    return order;
  }
  std::vector<int> order;
  std::vector<bool> placed(after.size(), false);
  std::vector<std::size_t> missing(after.size());
  std::vector<std::vector<int>> followers(after.size());
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (std::size_t i = 0; i < after.size(); ++i) {
    for (const int before : after[i])
      followers[static_cast<std::size_t>(before)].push_back(static_cast<int>(i));
    missing[i] = after[i].size();
    if (missing[i] == 0) ready.push(static_cast<int>(i));
  }
  while (!ready.empty()) {
    const int next = ready.top();
    ready.pop();
    order.push_back(next);
    placed[static_cast<std::size_t>(next)] = true;
    for (const int follower : followers[static_cast<std::size_t>(next)])
      if (--missing[static_cast<std::size_t>(follower)] == 0) ready.push(follower);
  }
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!placed[i]) order.push_back(static_cast<int>(i));
  return order;
}

std::vector<std::pair<int, int>> join_dependencies(std::vector<std::vector<int>>& data,
                                                   const std::vector<std::vector<int>>& control) {
  std::vector<std::vector<int>> both = data;
  for (std::size_t i = 0; i < both.size(); ++i)
    both[i].insert(both[i].end(), control[i].begin(), control[i].end());
  std::vector<std::pair<int, int>> dropped;
  if (!as_listed(both)) {
    const std::vector<int> component = components(both);
    for (std::size_t i = 0; i < both.size(); ++i) {
      const auto circular = [&](int before) {
        return component[i] == component[static_cast<std::size_t>(before)];
      };
      for (const int before : control[i])
        if (circular(before)) dropped.emplace_back(static_cast<int>(i), before);
      const auto first_control = both[i].begin() + static_cast<long>(data[i].size());
      both[i].erase(std::remove_if(first_control, both[i].end(), circular), both[i].end());
    }
  }
  data = std::move(both);
  return dropped;
}

}  // namespace trainyard
