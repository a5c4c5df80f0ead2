// Ring collectives: rank r sends only to rank r+1, one chunk of size/n a step.
//
// A pass of n-1 steps takes every chunk but one over each edge. Reduce-scatter and all-gather are
// one pass, all-reduce is one after the other: bandwidth-optimal, latency linear in n. All edges
// are busy in every step, so the whole collective is one phase, paced by its slowest edge.
#include "collectives/algorithms.hpp"

#include <utility>

namespace trainyard {
namespace {

// One phase round the ring; `carried(rank)` is what rank sends to its successor in all the rounds.
template <typename Carried>
std::vector<Phase> one_phase(int ranks, int rounds, const Carried& carried) {
  if (ranks == 1) return {};
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    edges.push_back({Rank{rank}, Rank{(rank + 1) % ranks}, carried(rank)});
  return {Phase{std::move(edges), rounds}};
}

// n-1 steps: in step t, rank r passes on chunk r + first - t.
void append_pass(Schedule& schedule, int first, bool reduce) {
  const int n = schedule.ranks;
  for (int t = 0; t < n - 1; ++t) {
    Step step;
    for (int rank = 0; rank < n; ++rank) {
      const int chunk = (rank + first - t + n) % n;
      step.push_back({Rank{rank}, Rank{(rank + 1) % n}, chunk, reduce});
    }
    schedule.steps.push_back(std::move(step));
  }
}

}  // namespace

// Of the first pass an edge misses the chunk that its receiver begins with, of the second the one
// that its receiver has finished.
std::vector<Phase> ring_all_reduce_phases(const Collective& collective) {
  const int n = collective.ranks;
  const Bytes size = collective.size;
  return one_phase(n, 2 * (n - 1), [&](int rank) {
    return 2 * size - chunk_bytes(size, n, (rank + 1) % n) - chunk_bytes(size, n, (rank + 2) % n);
  });
}

std::vector<Phase> ring_all_gather_phases(const Collective& collective) {
  const int n = collective.ranks;
  const Bytes size = collective.size;
  return one_phase(n, n - 1, [&](int rank) { return size - chunk_bytes(size, n, (rank + 1) % n); });
}

std::vector<Phase> ring_reduce_scatter_phases(const Collective& collective) {
  const int n = collective.ranks;
  const Bytes size = collective.size;
  return one_phase(n, n - 1, [&](int rank) { return size - chunk_bytes(size, n, rank); });
}

// The first pass leaves the finished chunk r+1 with rank r, which starts the second pass with it.
Schedule ring_all_reduce(const Collective& collective) {
  Schedule schedule{collective.ranks, /*chunks=*/collective.ranks, {}};
  append_pass(schedule, /*first=*/0, /*reduce=*/true);
  append_pass(schedule, /*first=*/1, /*reduce=*/false);
  return schedule;
}

Schedule ring_all_gather(const Collective& collective) {
  Schedule schedule{collective.ranks, /*chunks=*/collective.ranks, {}};
  append_pass(schedule, /*first=*/0, /*reduce=*/false);
  return schedule;
}

// Starts one chunk lower than the all-reduce, so that chunk r is finished at rank r.
Schedule ring_reduce_scatter(const Collective& collective) {
  Schedule schedule{collective.ranks, /*chunks=*/collective.ranks, {}};
  append_pass(schedule, /*first=*/-1, /*reduce=*/true);
  return schedule;
}

}  // namespace trainyard
