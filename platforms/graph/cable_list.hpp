// Cables in few words: runs of them that join neighbours in the same way.
//
//   leaf0 spine[0-3]                 one end to several, or several to one
//   node[0-31]/nic[0-7] leaf[0-7]    pair by pair; the shorter list starts again
//   leaf[0-31] x spine[0-3]          each with each, the left varying slowest
// INVARIANT: the runs of to_runs(cables), spelled out one after the other, are `cables`.
#pragma once

#include "platforms/graph_spec.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct CableRun {
  std::vector<std::string> a, b;
  bool each_with_each = false;
  GraphSpec::Cable alike;  // bandwidth, latency and count of each
};

std::vector<CableRun> to_runs(const std::vector<GraphSpec::Cable>& cables);

// How many cables a run has; zero if its lists cannot be paired.
std::size_t size_of(const CableRun& run);
void append_cables(const CableRun& run, std::vector<GraphSpec::Cable>& cables);

}  // namespace trainyard
