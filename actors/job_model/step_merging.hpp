// The nodes of one rank's step, and how they become fewer: edges that say nothing new go, and
// delays that only follow each other become one.
//
// INVARIANT: neither changes when a collective starts or the step ends.
#pragma once

#include "actors/job_model/step_graph.hpp"

#include <boost/container/small_vector.hpp>
#include <vector>

namespace trainyard {

struct StepNode {
  using Edges = boost::container::small_vector<int, 3>;
  struct Part : DelayPart {
    bool communicates = false;
  };

  bool delay = true, merged = false;
  bool serial = false;  // a collective of constant time beside which nothing is computed
  int stream = 0;       // of the program
  int constant = -1;    // of a delay that is a collective and nothing else
  int use = -1;         // of a collective
  int first = 0;        // the first operation merged into it
  TimeSpent spent{};
  double flops = 0;
  std::vector<Part> parts;  // of a delay
  Edges before, after;

  bool computes() const { return spent[static_cast<std::size_t>(Spent::Compute)] > 0; }
};
using StepNodes = std::vector<StepNode>;  // in the program's order

// `order` is topological.
void drop_implied_edges(StepNodes& nodes, const std::vector<int>& order);

// Not for Merging::Off.
void merge_delays(StepNodes& nodes, const std::vector<int>& order, Merging merging);

}  // namespace trainyard
