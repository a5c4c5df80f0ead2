#include "workload/program.hpp"

#include "workload/program_rewrite.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// Kahn's algorithm: which operations never become ready, because they wait on a cycle.
std::vector<bool> never_ready(const std::vector<std::vector<int>>& waits_for) {
  const std::size_t count = waits_for.size();
  std::vector<std::vector<std::size_t>> followers(count);
  std::vector<std::size_t> missing(count);
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < count; ++i) {
    for (const int p : waits_for[i]) followers[static_cast<std::size_t>(p)].push_back(i);
    missing[i] = waits_for[i].size();
    if (missing[i] == 0) ready.push_back(i);
  }
  std::vector<bool> stuck(count, true);
  while (!ready.empty()) {
    const std::size_t done = ready.back();
    ready.pop_back();
    stuck[done] = false;
    for (const std::size_t follower : followers[done])
      if (--missing[follower] == 0) ready.push_back(follower);
  }
  return stuck;
}

// From a stuck operation on, always to a stuck predecessor: sooner or later one comes back.
std::vector<int> walk_to_cycle(const std::vector<std::vector<int>>& waits_for,
                               const std::vector<bool>& stuck, int start) {
  std::vector<int> path;
  std::vector<int> position(waits_for.size(), -1);
  int at = start;
  while (position[static_cast<std::size_t>(at)] < 0) {
    position[static_cast<std::size_t>(at)] = static_cast<int>(path.size());
    path.push_back(at);
    const std::vector<int>& next = waits_for[static_cast<std::size_t>(at)];
    at = *std::find_if(next.begin(), next.end(),
                       [&](int p) { return stuck[static_cast<std::size_t>(p)]; });
  }
  return {path.begin() + position[static_cast<std::size_t>(at)], path.end()};
}

}  // namespace

int Program::streams() const {
  int count = 0;
  for (const Operation& operation : operations) count = std::max(count, operation.stream + 1);
  return count;
}

std::string dependency_cycle(const Program& program) {
  const std::vector<std::vector<int>> waits_for = predecessors(program);
  const std::vector<bool> stuck = never_ready(waits_for);
  const auto first = std::find(stuck.begin(), stuck.end(), true);
  if (first == stuck.end()) return "";
  std::vector<int> cycle = walk_to_cycle(waits_for, stuck, static_cast<int>(first - stuck.begin()));
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  cycle.push_back(cycle.front());
  std::string text;
  for (const int i : cycle) {
    if (!text.empty()) text += " -> ";
    text += program.operations[static_cast<std::size_t>(i)].name;
  }
  return text;
}

}  // namespace trainyard
