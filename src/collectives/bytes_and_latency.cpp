// What a collective costs whatever the fabric: bytes per pair of ranks, and latencies in sequence.
//
// Each is computed from the schedule and from the phases by separate code, because the tests hold
// one against the other.
#include "collectives/messages.hpp"
#include "collectives/verify.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

void add(EdgeBytes& total, Rank from, Rank to, Bytes carried) {
  if (carried > bytes(0)) total[{from, to}] += carried;
}

// Calls visit(from, to) for every ordered pair of the pattern.
template <typename Visit>
void each_pair(const AllPairs& pairs, const Visit& visit) {
  for (int to = 0; to < static_cast<int>(pairs.to.size()); ++to)
    for (int i = 0; i < pairs.group; ++i)
      if (const Rank from = pairs.member(to, i); from != Rank{to}) visit(from, Rank{to});
}

struct Slowest {
  const EdgeLatency& latency;

  Seconds operator()(const std::vector<Edge>& edges) const {
    Seconds worst;
    for (const Edge& edge : edges) worst = std::max(worst, latency(edge.from, edge.to));
    return worst;
  }
  Seconds operator()(const AllPairs& pairs) const {
    Seconds worst;
    each_pair(pairs, [&](Rank from, Rank to) { worst = std::max(worst, latency(from, to)); });
    return worst;
  }
  Seconds operator()(const InSwitch& in_switch) const {
    Seconds in, out;
    for (const SwitchPort& port : in_switch.ports) {
      in = std::max(in, latency(port.rank, port.tree));
      out = std::max(out, latency(port.tree, port.rank));
    }
    return in + out;
  }
};

struct Carried {
  EdgeBytes& total;

  void operator()(const std::vector<Edge>& edges) const {
    for (const Edge& edge : edges) add(total, edge.from, edge.to, edge.bytes);
  }
  void operator()(const AllPairs& pairs) const {
    each_pair(pairs, [&](Rank from, Rank to) { add(total, from, to, pairs.to[to.index()]); });
  }
  void operator()(const InSwitch& in_switch) const {
    for (const SwitchPort& port : in_switch.ports) {
      add(total, port.rank, port.tree, port.up);
      add(total, port.tree, port.rank, port.down);
    }
  }
};

}  // namespace

EdgeBytes bytes_per_edge(const Collective& collective, const Schedule& schedule) {
  EdgeBytes total;
  for (const Step& step : schedule.steps)
    for (const Transfer& transfer : step)
      add(total, transfer.from, transfer.to, transfer_bytes(collective, schedule, transfer));
  return total;
}

EdgeBytes bytes_per_edge(const std::vector<Phase>& phases) {
  EdgeBytes total;
  for (const Phase& phase : phases) std::visit(Carried{total}, phase.pattern);
  return total;
}

Seconds critical_path(const Schedule& schedule, const EdgeLatency& latency) {
  const std::vector<Message> messages = messages_of(schedule);
  std::vector<Seconds> starts, ends;
  Seconds last;
  for (const Message& message : messages) {
    Seconds start;
    for (const int id : message.arrivals)
      start = std::max(start, ends[static_cast<std::size_t>(id)]);
    // Without bytes, what is streamed has been sent as soon as it starts.
    const std::vector<Seconds>& gone = schedule.pace == Pace::Streamed ? starts : ends;
    for (const int id : message.departures)
      start = std::max(start, gone[static_cast<std::size_t>(id)]);
    starts.push_back(start);
    ends.push_back(start + latency(message.from, message.to));
    last = std::max(last, ends.back());
  }
  return last;
}

Seconds critical_path(const std::vector<Phase>& phases, const EdgeLatency& latency) {
  Seconds total;
  for (const Phase& phase : phases)
    total += phase.rounds * std::visit(Slowest{latency}, phase.pattern);
  return total;
}

}  // namespace trainyard
