// Proof that a Schedule does what its Collective asks, by carrying sets of contributions through
// it.
#pragma once

#include "collectives/collective.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace trainyard {

// "" if every rank ends with what it must hold, otherwise a sentence naming rank, chunk and what is
// wrong (missing contribution, contribution added twice, transfer of a chunk the sender does not
// hold).
std::string verify(const Collective& collective, const Schedule& schedule);

// Bytes per ordered pair of ranks, from the schedule and from the phases: they must be equal. Pairs
// that carry no bytes are left out.
using EdgeBytes = std::map<std::pair<Rank, Rank>, Bytes>;
EdgeBytes bytes_per_edge(const Collective& collective, const Schedule& schedule);
EdgeBytes bytes_per_edge(const std::vector<Phase>& phases);

// Latency alone (bytes are free) until the last arrival: from the schedule by longest path under
// its invariant, from the phases by their rule (rounds x the slowest edge's, one phase after
// another). Equal for every algorithm if all edges have one latency, and for a ring whatever they
// have.
using EdgeLatency = std::function<Seconds(Rank from, Rank to)>;
Seconds critical_path(const Schedule& schedule, const EdgeLatency& latency);
Seconds critical_path(const std::vector<Phase>& phases, const EdgeLatency& latency);

}  // namespace trainyard
