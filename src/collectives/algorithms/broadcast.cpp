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
// Edge e (from place e to e+1) carries chunk step - e: n-2+c steps of S/c. Chunks follow each other
// as NCCL's channels do, so latency is paid once a hop and not once a chunk:
// (n-1) alpha + (n-2+c) S/(cB).

// NCCL's default slice (a buffer of 4 MiB in 8 steps), however long the buffer is.
int chain_chunks(Bytes size) {
  return static_cast<int>(std::max<std::int64_t>(size.count() / kibibytes(512).count(), 1));
}

// A broadcast goes away from the root, a reduce comes from the far end towards it.
static Rank chain_place(const Collective& collective, int place) {
  const bool inwards = collective.kind == CollectiveKind::Reduce;
  return rank_at(collective, inwards ? collective.ranks - 1 - place : place);
}

// Cut into stretches of c steps. In each, one edge is busy from its first step to its last, so that
// its chunks are the stretch's time and no step of filling or draining needs a phase of its own:
// with c >= n-2 chunks there are two. An edge's latency belongs to the stretch it starts in.
std::vector<Phase> chain_phases(const Collective& collective) {
  const int edge_count = collective.ranks - 1;
  const int chunks = chain_chunks(collective.size);
  const int steps = edge_count == 0 ? 0 : edge_count - 1 + chunks;
  std::vector<Phase> phases;
  for (int begin = 0, end = 0; begin < steps; begin = end) {
    end = std::min(begin + chunks, steps);
    std::vector<Edge> running;
    bool first = true;
    const auto add = [&](std::vector<Edge> edges, int rounds) {
      phases.push_back({std::move(edges), rounds, /*with_previous=*/!first});
      first = false;
    };
    for (int edge = std::max(0, begin - chunks + 1); edge < std::min(end, edge_count); ++edge) {
      const Edge carried{chain_place(collective, edge), chain_place(collective, edge + 1),
                         chunk_offset(collective.size, chunks, std::min(end - edge, chunks)) -
                             chunk_offset(collective.size, chunks, std::max(begin - edge, 0))};
      if (edge < begin)
        running.push_back(carried);
      else
        add({carried}, /*rounds=*/1);
    }
    if (!running.empty()) add(std::move(running), /*rounds=*/0);
  }
  return phases;
}

// Chunk by chunk, each from the beginning to the end of the chain, one step behind the chunk
// before.
Schedule chain(const Collective& collective) {
  const int n = collective.ranks;
  const bool reduce = collective.kind == CollectiveKind::Reduce;
  Schedule schedule{n, chain_chunks(collective.size), {}, Pace::Streamed};
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
