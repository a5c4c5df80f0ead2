// Broadcast: as a binomial tree, few latencies and the whole buffer each time; or as a pipelined
// chain, many latencies and the buffer about once. A reduce is a broadcast backwards.
//
// Both count places from the root on: place p is rank root+p, and place 0 has the buffer.
#include "collectives/algorithms.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

Rank rank_at(const Collective& collective, int place) {
  return Rank{(collective.root.value() + place) % collective.ranks};
}

// The edges that are busy in one step: edge e (from place e to e+1) carries chunk step - e.
struct Busy {
  int first, last;

  friend bool operator==(Busy a, Busy b) { return a.first == b.first && a.last == b.last; }
};

Busy busy_in(int step, int edges, int chunks) {
  return {std::max(0, step - chunks + 1), std::min(step, edges - 1)};
}

}  // namespace

// ---- Binomial: whoever has the buffer sends it whole to one more place ----
//
// ceil(log2 n) steps. With m places served and n-m waiting, the last min(m, n-m) of those served
// send. Which of them send in an incomplete last step is free; the last ones are those that were
// served latest, so the tree is ceil(log2 n) deep for every n.

// Forwards: the served double until all are.
std::vector<Phase> binomial_broadcast_phases(const Collective& collective) {
  const int n = collective.ranks;
  std::vector<Phase> phases;
  for (int served = 1; served < n; served *= 2) {
    const int senders = std::min(served, n - served);
    std::vector<Edge> edges;
    for (int place = served - senders; place < served; ++place)
      edges.push_back(
          {rank_at(collective, place), rank_at(collective, place + senders), collective.size});
    phases.push_back({std::move(edges), /*rounds=*/1});
  }
  return phases;
}

// Backwards: each place but the root's asks in which step it is served, and by whom.
Schedule binomial_broadcast(const Collective& collective) {
  const int n = collective.ranks;
  Schedule schedule{n, /*chunks=*/1, {}, Pace::OneAtATime};
  for (int place = 1; place < n; ++place) {
    std::size_t step = 0;
    while (place >> (step + 1) != 0) ++step;  // the highest bit of `place`
    if (step == schedule.steps.size()) schedule.steps.emplace_back();
    const int server = std::max(place - (1 << step), place + (1 << step) - n);
    schedule.steps[step].push_back({rank_at(collective, server), rank_at(collective, place),
                                    /*chunk=*/0, /*reduce=*/false});
  }
  return schedule;
}

std::vector<Phase> binomial_reduce_phases(const Collective& collective) {
  std::vector<Phase> phases = binomial_broadcast_phases(collective);
  std::reverse(phases.begin(), phases.end());
  for (Phase& phase : phases)
    for (Edge& edge : std::get<std::vector<Edge>>(phase.pattern)) std::swap(edge.from, edge.to);
  return phases;
}

Schedule binomial_reduce(const Collective& collective) {
  Schedule schedule = binomial_broadcast(collective);
  std::reverse(schedule.steps.begin(), schedule.steps.end());
  for (Step& step : schedule.steps)
    for (Transfer& transfer : step) {
      std::swap(transfer.from, transfer.to);
      transfer.reduce = true;
    }
  return schedule;
}

// ---- Chain: each place passes the buffer on to the next, in c chunks; NCCL's "ring" ----
//
// n-2+c steps of S/c. While the chain fills and drains not all edges are busy, and two stretches
// with different busy edges are two phases: with c >= n-1 chunks n-2 steps that fill, one stretch
// with all edges busy, and n-2 steps that drain; with fewer chunks, every step is a phase.

// NCCL's default slice (a buffer of 4 MiB in 8 steps), or more so that a long buffer stays a small
// plan. A fixed rule, because the best count, sqrt((n-2) S / (alpha B)), depends on the fabric.
int chain_chunks(Bytes size) {
  const std::int64_t slices = size.count() / kibibytes(512).count();
  return static_cast<int>(std::clamp<std::int64_t>(slices, 1, 64));
}

// A broadcast goes away from the root, a reduce comes from the far end towards it.
static Rank chain_place(const Collective& collective, int place) {
  const bool inwards = collective.kind == CollectiveKind::Reduce;
  return rank_at(collective, inwards ? collective.ranks - 1 - place : place);
}

std::vector<Phase> chain_phases(const Collective& collective) {
  const int edge_count = collective.ranks - 1;
  const int chunks = chain_chunks(collective.size);
  const int steps = edge_count == 0 ? 0 : edge_count - 1 + chunks;
  std::vector<Phase> phases;
  for (int begin = 0, end = 0; begin < steps; begin = end) {
    const Busy busy = busy_in(begin, edge_count, chunks);
    for (end = begin + 1; end < steps && busy_in(end, edge_count, chunks) == busy;) ++end;
    std::vector<Edge> edges;
    for (int edge = busy.first; edge <= busy.last; ++edge)
      edges.push_back({chain_place(collective, edge), chain_place(collective, edge + 1),
                       chunk_offset(collective.size, chunks, end - edge) -
                           chunk_offset(collective.size, chunks, begin - edge)});
    phases.push_back({std::move(edges), /*rounds=*/end - begin});
  }
  return phases;
}

// Chunk by chunk, each from the beginning to the end of the chain, one step behind the chunk
// before.
Schedule chain(const Collective& collective) {
  const int n = collective.ranks;
  const bool reduce = collective.kind == CollectiveKind::Reduce;
  Schedule schedule{n, chain_chunks(collective.size), {}};
  for (int chunk = 0; chunk < schedule.chunks; ++chunk)
    for (int place = 0; place < n - 1; ++place) {
      const int tick = place + chunk;
      const auto step = static_cast<std::size_t>(tick);
      if (step == schedule.steps.size()) schedule.steps.emplace_back();
      schedule.steps[step].push_back(
          {chain_place(collective, place), chain_place(collective, place + 1), chunk, reduce});
    }
  return schedule;
}

}  // namespace trainyard
