// The dependency graph of one rank class, while it is being built: nodes of a Program spelled out
// for the class's ranks, then simplified. Nodes are in the order of the program, which need not be
// topological.
#pragma once

#include "actors/step_model.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace trainyard {

class OperationGraph {
public:
  void add_compute(std::size_t operation, double seconds);
  void add_tensor(std::size_t operation);
  // `index`: which data group; a data operation has one node an index, any other a single node.
  void add_collective(std::size_t operation, int index, int channel, int tickets);

  // Draws the edges: `after`, and the order of each stream. Two data operations are joined index by
  // index.
  void connect(const Program& program);

  // (operation, node) of every tensor collective, still to be decided.
  std::vector<std::pair<std::size_t, std::size_t>> tensor_nodes() const;
  void make_delay(std::size_t node, double seconds);
  void make_collective(std::size_t node, int channel, int tickets);

  // Whether ranks of a tensor group may start a data collective at different times: at the start of
  // a step, or after another data collective, with nothing between that all of them wait for.
  bool ranks_drift_apart() const;

  // A delay that only follows one delay, which nothing else waits for, becomes part of it: the same
  // timing with fewer events.
  void merge_delays();

  std::vector<PlayOperation> operations() const;

private:
  struct Node {
    std::size_t operation = 0;
    int index = -1;  // of a data collective
    double seconds = 0;
    int channel = -1, tickets = 0;
    bool tensor = false, merged = false;
    std::vector<std::size_t> before, after;  // edges
  };

  bool is_delay(std::size_t node) const { return nodes_[node].channel < 0 && !nodes_[node].tensor; }
  void join(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to);
  void edge(std::size_t from, std::size_t to);
  std::vector<std::size_t> topological_order() const;
  void drop_implied_edges();

  std::vector<Node> nodes_;
  std::vector<std::vector<std::size_t>> nodes_of_;  // by operation
};

}  // namespace trainyard
