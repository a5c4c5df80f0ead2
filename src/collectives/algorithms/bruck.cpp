// Bruck's all-to-all: ceil(log2 n) rounds, in round i of which every rank passes on, 2^i ranks
// further, all blocks that have that bit of their way to go; about half of the buffer each time.
//
// INVARIANT: before round i, the block for the rank o further on is o mod 2^i from where it began.
#include "collectives/algorithms.hpp"

#include <utility>

namespace trainyard {

std::vector<Phase> bruck_phases(const Collective& collective) {
  const int n = collective.ranks;
  std::vector<Phase> phases;
  for (int hop = 1; hop < n; hop *= 2) {
    std::vector<Edge> edges;
    for (int rank = 0; rank < n; ++rank) {
      Bytes carried;
      for (int way = hop; way < n; ++way)
        if ((way & hop) != 0)  // it still has the way's bits from `hop` on to go
          carried += chunk_bytes(collective.size, n, (rank + (way & ~(hop - 1))) % n);
      edges.push_back({Rank{rank}, Rank{(rank + hop) % n}, carried});
    }
    phases.push_back({std::move(edges), /*rounds=*/1});
  }
  return phases;
}

Schedule bruck(const Collective& collective) {
  const int n = collective.ranks;
  Schedule schedule{n, /*chunks=*/n * n, {}};
  for (int hop = 1; hop < n; hop *= 2) {
    Step step;
    for (int from = 0; from < n; ++from)
      for (int to = 0; to < n; ++to) {
        const int way = (to - from + n) % n;
        if ((way & hop) == 0) continue;
        const int here = (from + (way & (hop - 1))) % n;
        step.push_back({Rank{here}, Rank{(here + hop) % n}, from * n + to, /*reduce=*/false});
      }
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

}  // namespace trainyard
