// What a collective costs whatever the fabric: bytes per pair of ranks, and latencies in sequence.
//
// Each is computed from the schedule and from the phases by separate code, because the tests hold
// one against the other.
#include "collectives/verify.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

void add(EdgeBytes& total, Rank from, Rank to, Bytes carried) {
  if (carried > bytes(0)) total[{from, to}] += carried;
}

// Calls visit(from, to) for every ordered pair of different ranks.
template <typename Visit>
void each_pair(int ranks, const Visit& visit) {
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to)
      if (from != to) visit(Rank{from}, Rank{to});
}

Seconds slowest(const Phase& phase, int ranks, const EdgeLatency& latency) {
  Seconds worst;
  if (const auto* edges = std::get_if<std::vector<Edge>>(&phase.pattern)) {
    for (const Edge& edge : *edges) worst = std::max(worst, latency(edge.from, edge.to));
  } else {
    each_pair(ranks, [&](Rank from, Rank to) { worst = std::max(worst, latency(from, to)); });
  }
  return worst;
}

}  // namespace

EdgeBytes bytes_per_edge(const Collective& collective, const Schedule& schedule) {
  EdgeBytes total;
  for (const Step& step : schedule.steps)
    for (const Transfer& transfer : step)
      add(total, transfer.from, transfer.to, transfer_bytes(collective, schedule, transfer));
  return total;
}

EdgeBytes bytes_per_edge(const Collective& collective, const std::vector<Phase>& phases) {
  EdgeBytes total;
  for (const Phase& phase : phases) {
    if (const auto* edges = std::get_if<std::vector<Edge>>(&phase.pattern)) {
      for (const Edge& edge : *edges) add(total, edge.from, edge.to, edge.bytes);
      continue;
    }
    const Bytes size = std::get<AllPairs>(phase.pattern).size;
    each_pair(collective.ranks, [&](Rank from, Rank to) {
      add(total, from, to, chunk_bytes(size, collective.ranks, to.value()));
    });
  }
  return total;
}

Seconds critical_path(const Schedule& schedule, const EdgeLatency& latency) {
  // As of the steps already passed: by when a rank has received all, and a pair is free again.
  std::vector<Seconds> received(static_cast<std::size_t>(schedule.ranks));
  std::map<std::pair<Rank, Rank>, Seconds> ended;
  Seconds last;
  for (const Step& step : schedule.steps) {
    std::vector<Seconds> ends;
    for (const Transfer& t : step) {
      const Seconds start = std::max(received[t.from.index()], ended[{t.from, t.to}]);
      ends.push_back(start + latency(t.from, t.to));
    }
    for (std::size_t i = 0; i < step.size(); ++i) {
      const Transfer& t = step[i];
      received[t.to.index()] = std::max(received[t.to.index()], ends[i]);
      ended[{t.from, t.to}] = ends[i];
      last = std::max(last, ends[i]);
    }
  }
  return last;
}

Seconds critical_path(const std::vector<Phase>& phases, int ranks, const EdgeLatency& latency) {
  Seconds total;
  for (const Phase& phase : phases) total += phase.rounds * slowest(phase, ranks, latency);
  return total;
}

}  // namespace trainyard
