// Rings: every rank passes chunks on to the next one; bandwidth-optimal, latency linear in n.
//
// One ring in the order of ranks, or those that the collective brings: NCCL's channels, each of
// which leaves a node by another NIC, or the rings found in an irregular mesh of NVLinks. Ring i
// carries the same part of every chunk, in proportion to its weight.
//
// INVARIANT: chunk r*W+j of n*W, with W the sum of weights, is piece j of what rank r owns; ring i
// has the pieces before_i .. before_i + weight_i - 1.
#include "collectives/algorithms.hpp"
#include "collectives/rings/rings.hpp"

#include <utility>

namespace trainyard {
namespace {

class Part {  // what one ring carries
public:
  Part(const Collective& collective, const Ring& ring, int before, int total)
      : collective_(collective), ring_(ring), before_(before), total_(total) {
    for (int rank = 0; rank < collective.ranks; ++rank) all_ += of_rank(rank);
  }

  const Ring& ring() const { return ring_; }
  Bytes all() const { return all_; }
  Rank at(int place) const {
    return ring_.order[static_cast<std::size_t>((place + collective_.ranks) % collective_.ranks)];
  }
  // Of the chunk that belongs to the rank at that place.
  Bytes at_place(int place) const { return of_rank(at(place).value()); }
  int first_chunk(int place) const { return at(place).value() * total_ + before_; }

private:
  Bytes of_rank(int rank) const {
    const std::int64_t pieces = std::int64_t{collective_.ranks} * total_;
    const std::int64_t first = std::int64_t{rank} * total_ + before_;
    return chunk_offset(collective_.size, pieces, first + ring_.weight) -
           chunk_offset(collective_.size, pieces, first);
  }

  const Collective& collective_;
  const Ring& ring_;
  int before_, total_;
  Bytes all_;
};

// Calls visit(part) for each ring.
template <typename Visit>
void each_part(const Collective& collective, const std::vector<Ring>& rings, const Visit& visit) {
  const int total = total_weight(rings);
  int before = 0;
  for (const Ring& ring : rings) {
    visit(Part(collective, ring, before, total));
    before += ring.weight;
  }
}

// One phase: the edge out of each place of each ring carries carried(part, place) bytes.
template <typename Carried>
std::vector<Phase> one_phase(const Collective& collective, int rounds, const Carried& carried) {
  const int n = collective.ranks;
  if (n == 1) return {};
  const std::vector<Ring> rings = rings_of(collective);
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(n) * rings.size());
  each_part(collective, rings, [&](const Part& part) {
    for (int place = 0; place < n; ++place)
      edges.push_back({part.at(place), part.at(place + 1), carried(part, place)});
  });
  return {Phase{std::move(edges), rounds}};
}

// n-1 steps: in step t, place p passes on the chunk of place p + first - t.
void append_pass(const Collective& collective, Schedule& schedule, int first, bool reduce) {
  const int n = collective.ranks;
  const std::vector<Ring> rings = rings_of(collective);
  for (int t = 0; t < n - 1; ++t) {
    Step step;
    each_part(collective, rings, [&](const Part& part) {
      for (int place = 0; place < n; ++place)
        for (int piece = 0; piece < part.ring().weight; ++piece)
          step.push_back({part.at(place), part.at(place + 1),
                          part.first_chunk(place + first - t) + piece, reduce});
    });
    schedule.steps.push_back(std::move(step));
  }
}

Schedule empty_schedule(const Collective& collective) {
  return {collective.ranks, collective.ranks * total_weight(rings_of(collective)), {}};
}

}  // namespace

// Of the first pass an edge misses the chunk that its receiver begins with, of the second the one
// that its receiver has finished.
std::vector<Phase> ring_all_reduce_phases(const Collective& collective) {
  return one_phase(collective, 2 * (collective.ranks - 1), [](const Part& part, int place) {
    return 2 * part.all() - part.at_place(place + 1) - part.at_place(place + 2);
  });
}

std::vector<Phase> ring_all_gather_phases(const Collective& collective) {
  return one_phase(collective, collective.ranks - 1, [](const Part& part, int place) {
    return part.all() - part.at_place(place + 1);
  });
}

std::vector<Phase> ring_reduce_scatter_phases(const Collective& collective) {
  return one_phase(collective, collective.ranks - 1,
                   [](const Part& part, int place) { return part.all() - part.at_place(place); });
}

// The first pass leaves the finished chunk of the next place, with which the second pass starts.
Schedule ring_all_reduce(const Collective& collective) {
  Schedule schedule = empty_schedule(collective);
  append_pass(collective, schedule, /*first=*/0, /*reduce=*/true);
  append_pass(collective, schedule, /*first=*/1, /*reduce=*/false);
  return schedule;
}

Schedule ring_all_gather(const Collective& collective) {
  Schedule schedule = empty_schedule(collective);
  append_pass(collective, schedule, /*first=*/0, /*reduce=*/false);
  return schedule;
}

// Starts one chunk lower than the all-reduce, so that each rank's own chunk is finished there.
Schedule ring_reduce_scatter(const Collective& collective) {
  Schedule schedule = empty_schedule(collective);
  append_pass(collective, schedule, /*first=*/-1, /*reduce=*/true);
  return schedule;
}

}  // namespace trainyard
