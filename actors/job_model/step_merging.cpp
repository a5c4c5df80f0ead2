#include "actors/job_model/step_merging.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using Edges = StepNode::Edges;
using Part = StepNode::Part;

// How far back an implied edge is looked for: it usually is the very next operation.
constexpr int kLookBack = 8;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Whether `node` comes after `earlier` by a short way.
bool follows(const StepNodes& nodes, int node, int earlier, int& look) {
  if (--look < 0) return false;
  const Edges& before = nodes[at(node)].before;
  if (std::find(before.begin(), before.end(), earlier) != before.end()) return true;
  return std::any_of(before.begin(), before.end(),
                     [&](int p) { return follows(nodes, p, earlier, look); });
}

// An edge from an ancestor of another predecessor says nothing new.
void drop_implied(StepNodes& nodes, int n) {
  const Edges before = nodes[at(n)].before;
  if (before.size() < 2) return;
  for (const int p : before) {
    Edges& left = nodes[at(n)].before;
    const bool implied = std::any_of(left.begin(), left.end(), [&](int q) {
      int look = kLookBack;
      return q != p && follows(nodes, q, p, look);
    });
    if (!implied) continue;
    left.erase(std::find(left.begin(), left.end(), p));
    Edges& after = nodes[at(p)].after;
    after.erase(std::find(after.begin(), after.end(), n));
  }
}

// The computation to which single edges lead through delays; -1 where they fork or wait.
int nearest_computation(const StepNodes& nodes, int n, Edges StepNode::*edges) {
  do {
    if ((nodes[at(n)].*edges).size() != 1) return -1;
    n = (nodes[at(n)].*edges).front();
    if (!nodes[at(n)].delay) return -1;
  } while (!nodes[at(n)].computes());
  return n;
}

// Where all computing is on one stream, nothing is computed between one computation's end and the
// start of the next: a collective that stands there has nothing beside it to slow down.
void find_serial(StepNodes& nodes) {
  std::vector<int> place(nodes.size(), -1);
  int stream = -1, count = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].computes()) continue;
    if (count > 0 && nodes[n].stream != stream) return;
    stream = nodes[n].stream;
    place[n] = count++;
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].constant < 0) continue;
    const int before = nearest_computation(nodes, static_cast<int>(n), &StepNode::before);
    const int after = nearest_computation(nodes, static_cast<int>(n), &StepNode::after);
    nodes[n].serial = before >= 0 && after >= 0 && place[at(after)] == place[at(before)] + 1;
  }
}

bool may_merge(const StepNode& node, Merging merging) {
  return node.delay && (node.constant < 0 || node.serial || merging == Merging::On);
}

// What is computed in one go is one part, as slow beside collectives as it is on the mean.
void append(const std::vector<Part>& later, std::vector<Part>& parts) {
  for (const Part& part : later) {
    if (parts.empty() || parts.back().communicates != part.communicates) {
      parts.push_back(part);
      continue;
    }
    Part& last = parts.back();
    last.seconds += part.seconds;
    last.computing += part.computing;
    last.flops += part.flops;
    last.hbm_bytes += part.hbm_bytes;
  }
}

// A delay that only follows one delay, which nothing else waits for, takes it in.
void merge_into(StepNodes& nodes, int n, Merging merging) {
  StepNode& node = nodes[at(n)];
  if (node.before.size() != 1 || !may_merge(node, merging)) return;
  const int p = node.before.front();
  StepNode& earlier = nodes[at(p)];
  if (earlier.after.size() != 1 || !may_merge(earlier, merging)) return;
  append(node.parts, earlier.parts);
  node.parts = std::move(earlier.parts);
  for (std::size_t s = 0; s < kSpentKinds; ++s) node.spent[s] += earlier.spent[s];
  if (earlier.constant < 0) node.constant = -1;
  node.flops += earlier.flops;
  node.first = earlier.first;
  earlier.merged = true;
  node.before = std::move(earlier.before);
  for (const int before : node.before)
    std::replace(nodes[at(before)].after.begin(), nodes[at(before)].after.end(), p, n);
}

}  // namespace

void drop_implied_edges(StepNodes& nodes, const std::vector<int>& order) {
  for (const int n : order) drop_implied(nodes, n);
}

void merge_delays(StepNodes& nodes, const std::vector<int>& order, Merging merging) {
  if (merging == Merging::Serial) find_serial(nodes);
  for (const int n : order) merge_into(nodes, n, merging);
}

}  // namespace trainyard
