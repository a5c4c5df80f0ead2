#include "actors/operation_graph.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

void OperationGraph::add_compute(std::size_t operation, double seconds) {
  Node node;
  node.operation = operation;
  node.seconds = seconds;
  nodes_.push_back(node);
}

void OperationGraph::add_tensor(std::size_t operation) {
  Node node;
  node.operation = operation;
  node.tensor = true;
  nodes_.push_back(node);
}

void OperationGraph::add_collective(std::size_t operation, int index, int channel, int tickets) {
  Node node;
  node.operation = operation;
  node.index = index;
  node.channel = channel;
  node.tickets = tickets;
  nodes_.push_back(node);
}

void OperationGraph::connect(const Program& program) {
  nodes_of_.resize(program.operations.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) nodes_of_[nodes_[n].operation].push_back(n);
  std::map<int, std::size_t> last_on_stream;
  for (std::size_t o = 0; o < program.operations.size(); ++o) {
    const Operation& operation = program.operations[o];
    for (const int earlier : operation.after)
      join(nodes_of_[static_cast<std::size_t>(earlier)], nodes_of_[o]);
    const auto previous = last_on_stream.find(operation.stream);
    if (previous != last_on_stream.end()) join(nodes_of_[previous->second], nodes_of_[o]);
    last_on_stream[operation.stream] = o;
  }
  drop_implied_edges();
}

// Data collectives of one rank follow each other index by index; everything else waits for all.
void OperationGraph::join(const std::vector<std::size_t>& from,
                          const std::vector<std::size_t>& to) {
  const bool index_by_index = from.size() > 1 && from.size() == to.size();
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < to.size(); ++j)
      if (!index_by_index || i == j) edge(from[i], to[j]);
}

void OperationGraph::edge(std::size_t from, std::size_t to) {
  std::vector<std::size_t>& after = nodes_[from].after;
  if (std::find(after.begin(), after.end(), to) != after.end()) return;
  after.push_back(to);
  nodes_[to].before.push_back(from);
}

std::vector<std::size_t> OperationGraph::topological_order() const {
  std::vector<std::size_t> order, waiting(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    waiting[n] = nodes_[n].before.size();
    if (waiting[n] == 0) order.push_back(n);
  }
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const std::size_t successor : nodes_[order[next]].after)
      if (--waiting[successor] == 0) order.push_back(successor);
  return order;
}

// An edge from an ancestor of another predecessor says nothing new.
void OperationGraph::drop_implied_edges() {
  std::vector<std::vector<bool>> ancestors(nodes_.size());
  for (const std::size_t n : topological_order()) {
    Node& node = nodes_[n];
    std::vector<bool>& mine = ancestors[n];
    mine.resize(nodes_.size());
    for (const std::size_t p : node.before)
      for (std::size_t a = 0; a < mine.size(); ++a)
        if (ancestors[p][a]) mine[a] = true;
    const auto implied = [&mine](std::size_t p) { return bool(mine[p]); };
    for (const std::size_t p : node.before) {
      if (!implied(p)) continue;
      std::vector<std::size_t>& after = nodes_[p].after;
      after.erase(std::find(after.begin(), after.end(), n));
    }
    node.before.erase(std::remove_if(node.before.begin(), node.before.end(), implied),
                      node.before.end());
    for (const std::size_t p : node.before) mine[p] = true;
  }
}

std::vector<std::pair<std::size_t, std::size_t>> OperationGraph::tensor_nodes() const {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (nodes_[n].tensor) result.emplace_back(nodes_[n].operation, n);
  return result;
}

bool OperationGraph::ranks_drift_apart() const {
  std::vector<bool> apart(nodes_.size());
  for (const std::size_t n : topological_order()) {
    const Node& node = nodes_[n];
    if (!is_delay(n) && node.index < 0) continue;  // tensor or world: the whole group waits
    const auto drifts = [&](std::size_t p) {
      return apart[p] && (node.index < 0 || nodes_[p].index < 0);  // data to data: index by index
    };
    apart[n] = node.before.empty() || std::any_of(node.before.begin(), node.before.end(), drifts);
    if (node.index < 0) continue;
    if (apart[n]) return true;
    apart[n] = true;  // each index ends at its own time
  }
  return false;
}

void OperationGraph::make_delay(std::size_t node, double seconds) {
  nodes_[node].tensor = false;
  nodes_[node].seconds = seconds;
}

void OperationGraph::make_collective(std::size_t node, int channel, int tickets) {
  nodes_[node].tensor = false;
  nodes_[node].channel = channel;
  nodes_[node].tickets = tickets;
}

void OperationGraph::merge_delays() {
  for (const std::size_t n : topological_order()) {
    Node& node = nodes_[n];
    if (!is_delay(n) || node.before.size() != 1) continue;
    const std::size_t p = node.before.front();
    if (!is_delay(p) || nodes_[p].after.size() != 1) continue;
    node.seconds += nodes_[p].seconds;  // the predecessor disappears into this one
    nodes_[p].merged = true;
    node.before = nodes_[p].before;
    for (const std::size_t earlier : node.before)
      std::replace(nodes_[earlier].after.begin(), nodes_[earlier].after.end(), p, n);
  }
}

std::vector<PlayOperation> OperationGraph::operations() const {
  std::vector<int> position(nodes_.size(), -1);
  int count = 0;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (!nodes_[n].merged) position[n] = count++;
  std::vector<PlayOperation> result;
  for (const Node& node : nodes_) {
    if (node.merged) continue;
    PlayOperation operation;
    operation.seconds = node.seconds;
    operation.channel = node.channel;
    operation.tickets = node.tickets;
    operation.waits_for = static_cast<int>(node.before.size());
    for (const std::size_t successor : node.after) operation.enables.push_back(position[successor]);
    result.push_back(std::move(operation));
  }
  return result;
}

}  // namespace trainyard
