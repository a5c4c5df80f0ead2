// All-to-all: every rank has a chunk for every other.
//
// The two algorithms move the same bytes over the same pairs and differ in latency. Pairwise is
// n-1 rounds, in each of which every rank has one partner to send to and one to receive from (MPI);
// direct posts all transfers at once (NCCL's grouped sends and receives). An all-to-all-v is direct
// with sizes of its own.
#include "collectives/algorithms.hpp"

#include <utility>

namespace trainyard {
namespace {

Transfer from_to(int ranks, int from, int to) {
  return {Rank{from}, Rank{to}, from * ranks + to, /*reduce=*/false};
}

std::vector<Phase> one_phase(const Collective& collective, int rounds) {
  if (collective.ranks == 1) return {};
  return {Phase{all_pairs(collective.size, collective.ranks), rounds}};
}

}  // namespace

std::vector<Phase> pairwise_phases(const Collective& collective) {
  return one_phase(collective, collective.ranks - 1);
}

std::vector<Phase> direct_phases(const Collective& collective) { return one_phase(collective, 1); }

// Compact if all send alike.
std::vector<Phase> direct_v_phases(const Collective& collective) {
  const int n = collective.ranks;
  if (n == 1 || !collective.pair_sizes) return direct_phases(collective);
  if (collective.pair_sizes->size() == static_cast<std::size_t>(n))
    return {Phase{AllPairs{/*group=*/n, /*stride=*/1, *collective.pair_sizes}, /*rounds=*/1}};
  std::vector<Edge> edges;
  for (int from = 0; from < n; ++from)
    for (int to = 0; to < n; ++to)
      if (from != to) edges.push_back({Rank{from}, Rank{to}, pair_bytes(collective, from, to)});
  return {Phase{std::move(edges), /*rounds=*/1}};
}

Schedule pairwise(const Collective& collective) {
  const int n = collective.ranks;
  Schedule schedule{n, /*chunks=*/n * n, {}, Pace::OneAtATime};
  for (int distance = 1; distance < n; ++distance) {
    Step step;
    for (int rank = 0; rank < n; ++rank) step.push_back(from_to(n, rank, (rank + distance) % n));
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

Schedule direct(const Collective& collective) {
  const int n = collective.ranks;
  Step step;
  for (int from = 0; from < n; ++from)
    for (int to = 0; to < n; ++to)
      if (from != to) step.push_back(from_to(n, from, to));
  if (step.empty()) return {n, /*chunks=*/n * n, {}};
  return {n, /*chunks=*/n * n, {std::move(step)}};
}

}  // namespace trainyard
