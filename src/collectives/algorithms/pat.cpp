// NCCL's parallel aggregated trees (PAT, from 2.23 on) for all-gather and reduce-scatter with one
// rank a node: every chunk has a binomial tree of its own, and in one round each rank sends what
// all trees want of it over one distance in one message. Distances are powers of two: the longest
// first to gather, the shortest first to reduce. ceil(log2 n) rounds instead of a ring's n-1, and
// the same (n-1)/n of the buffer.
//
// NCCL cuts what does not fit its buffers into several such passes; here it is one.
#include "collectives/algorithms.hpp"

#include <utility>

namespace trainyard {

namespace {

// Longest first.
std::vector<int> distances_of(int ranks) {
  std::vector<int> distances;
  for (int distance = 1; distance < ranks; distance *= 2)
    distances.insert(distances.begin(), distance);
  return distances;
}

// Whether, in the tree of a chunk, the rank `way` after its owner passes it on over `distance`.
bool passes_on(int way, int distance, int ranks) {
  return way % (2 * distance) == 0 && way + distance < ranks;
}

// To gather, from the rank nearer to the chunk's owner; to reduce, from the other.
std::vector<Phase> phases(const Collective& collective, const std::vector<int>& distances,
                          bool reduce) {
  const int n = collective.ranks;
  std::vector<Phase> all;
  for (const int distance : distances) {
    std::vector<Edge> edges;
    for (int near = 0; near < n; ++near) {
      Bytes carried;
      for (int way = 0; way < n; way += 2 * distance)
        if (passes_on(way, distance, n))
          carried += chunk_bytes(collective.size, n, (near - way + n) % n);
      const Rank a{near}, b{(near + distance) % n};
      edges.push_back(reduce ? Edge{b, a, carried} : Edge{a, b, carried});
    }
    all.push_back({std::move(edges), /*rounds=*/1});
  }
  return all;
}

Schedule schedule_of(int n, const std::vector<int>& distances, bool reduce) {
  Schedule schedule{n, /*chunks=*/n, {}};
  for (const int distance : distances) {
    Step step;
    for (int chunk = 0; chunk < n; ++chunk)
      for (int way = 0; way < n; ++way) {
        if (!passes_on(way, distance, n)) continue;
        const Rank near{(chunk + way) % n}, far{(chunk + way + distance) % n};
        step.push_back({reduce ? far : near, reduce ? near : far, chunk, reduce});
      }
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

std::vector<int> shortest_first(int ranks) {
  const std::vector<int> longest_first = distances_of(ranks);
  return {longest_first.rbegin(), longest_first.rend()};
}

}  // namespace

bool pat_applies(const Collective& collective) { return collective.ranks_per_node == 1; }

std::vector<Phase> pat_all_gather_phases(const Collective& collective) {
  return phases(collective, distances_of(collective.ranks), /*reduce=*/false);
}
Schedule pat_all_gather(const Collective& collective) {
  return schedule_of(collective.ranks, distances_of(collective.ranks), /*reduce=*/false);
}

std::vector<Phase> pat_reduce_scatter_phases(const Collective& collective) {
  return phases(collective, shortest_first(collective.ranks), /*reduce=*/true);
}
Schedule pat_reduce_scatter(const Collective& collective) {
  return schedule_of(collective.ranks, shortest_first(collective.ranks), /*reduce=*/true);
}

}  // namespace trainyard
