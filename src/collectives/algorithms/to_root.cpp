// Gather, scatter and barrier.
//
// Gather and scatter are one message between the root and each other rank, posted at once, as
// NCCL's grouped sends and receives. A barrier is dissemination: ceil(log2 n) rounds without bytes,
// in round i of which every rank tells the one 2^i further on.
#include "collectives/algorithms.hpp"

#include <utility>

namespace trainyard {
namespace {

Edge between(const Collective& collective, int other) {
  const Bytes chunk = chunk_bytes(collective.size, collective.ranks, other);
  if (collective.kind == CollectiveKind::Gather) return {Rank{other}, collective.root, chunk};
  return {collective.root, Rank{other}, chunk};
}

}  // namespace

std::vector<Phase> direct_root_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  std::vector<Edge> edges;
  for (int rank = 0; rank < collective.ranks; ++rank)
    if (Rank{rank} != collective.root) edges.push_back(between(collective, rank));
  return {Phase{std::move(edges), /*rounds=*/1}};
}

Schedule direct_root(const Collective& collective) {
  Schedule schedule{collective.ranks, /*chunks=*/collective.ranks, {}};
  if (collective.ranks == 1) return schedule;
  const bool inwards = collective.kind == CollectiveKind::Gather;
  Step step;
  for (int rank = 0; rank < collective.ranks; ++rank) {
    if (Rank{rank} == collective.root) continue;
    const Rank from = inwards ? Rank{rank} : collective.root;
    const Rank to = inwards ? collective.root : Rank{rank};
    step.push_back({from, to, /*chunk=*/rank, /*reduce=*/false});
  }
  schedule.steps.push_back(std::move(step));
  return schedule;
}

std::vector<Phase> dissemination_phases(const Collective& collective) {
  const int n = collective.ranks;
  std::vector<Phase> phases;
  for (int hop = 1; hop < n; hop *= 2) {
    std::vector<Edge> edges;
    for (int rank = 0; rank < n; ++rank)
      edges.push_back({Rank{rank}, Rank{(rank + hop) % n}, bytes(0)});
    phases.push_back({std::move(edges), /*rounds=*/1});
  }
  return phases;
}

Schedule dissemination(const Collective& collective) {
  const int n = collective.ranks;
  Schedule schedule{n, /*chunks=*/1, {}};
  for (int hop = 1; hop < n; hop *= 2) {
    Step step;
    for (int rank = 0; rank < n; ++rank)
      step.push_back({Rank{rank}, Rank{(rank + hop) % n}, /*chunk=*/0, /*reduce=*/true});
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

}  // namespace trainyard
