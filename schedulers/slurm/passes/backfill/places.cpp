#include "schedulers/slurm/passes/backfill/places.hpp"

#include "schedulers/slurm/passes/reserved_nodes.hpp"

#include <algorithm>

namespace trainyard::slurm {

Places::Known Places::known_of(const PlaceSearch& search) {
  const JobRecord& record = search.record;
  const Request& request = record.job->request;
  Known known;
  const bool any_node = !request.has_required() && request.excluded.size() == 0 && !record.features;
  if (search.horizon == Horizon::NowOnly || !any_node || !state_.reservations.empty()) return known;
  known.ready = forecast_.readiness(record);
  if (!known.ready) return known;
  known.floor = &floors_[Forecast::shape_of(record)];
  known.nodes = node_counts(state_.partition(record.partition), request).least;
  return known;
}

std::optional<Place> Places::look(PlaceSearch& search) {
  const Known known = known_of(search);
  if (known.floor) skip(search, known);
  Place place;
  if (!free_nodes(search, search.start, place)) return {};
  const bool hopeless = known.floor && place.later > 0 && too_few(place, known);
  if (enough(search.record, place.candidates)) {
    search.tested = true;
    if (!hopeless) place.found = when_and_where(search, place);
  }
  if (!hopeless)
    search.certain = false;
  else if (search.certain)
    known.floor->raise(known.nodes, search.duration, place.later);
  return place;
}

// A place that would only be had later than when others become free is not taken.
void Places::skip(PlaceSearch& search, const Known& known) const {
  const Time floor = known.floor->of(known.nodes, search.duration);
  const JobRecord& record = search.record;
  NodeSet base = state_.partition(record.partition).nodes;
  base &= state_.available;
  while (search.start < floor) {
    const Time end = std::max(search.start, state_.now) + search.duration;
    const Time later = space_.next_release(base, search.start, end);
    if (later == 0 || later >= floor) return;
    search.start = later;
    search.skipped = true;
  }
}

// Even with all that ends until others become free.
bool Places::too_few(const Place& place, const Known& known) {
  const NodeSet& ready = known.ready->by(forecast_.ended_by(place.later));
  return place.candidates.count_common(ready) < known.nodes;
}

// Nodes of the partition that are up and that nobody has reserved while the job would run. The
// start moves with advance reservations.
bool Places::free_nodes(const PlaceSearch& search, Time& start, Place& place) const {
  const JobRecord& record = search.record;
  NodeSet base = state_.partition(record.partition).nodes;
  base &= state_.available;
  bool overlap = false;
  if (!state_.reservations.empty() || !record.job->reservation.empty()) {
    ReservedNodes reserved = reserved_nodes(state_, record, start, search.duration);
    for (int tries = 0; reserved.blocked && tries < 10; ++tries) {
      if (reserved.retry <= start) return false;
      start = reserved.retry;
      reserved = reserved_nodes(state_, record, start, search.duration);
    }
    if (reserved.blocked) return false;
    base &= reserved.allowed;
    overlap = reserved.overlap;
  }
  const Time end = std::max(start, state_.now) + search.duration;
  place.later = space_.next_release(base, start, end);
  place.candidates = base;
  space_.keep_free(place.candidates, start, end);
  if (overlap) {
    const Time after = next_reservation_end(state_, start) + 1;
    if (after < window_end_ && (place.later == 0 || after < place.later)) place.later = after;
  }
  if (record.job->request.excluded.size() > 0) place.candidates -= record.job->request.excluded;
  if (state_.has_its_topology(record)) {
    NodeSet taken = state_.available, open = taken;
    space_.keep_free(open, start, end);
    taken -= open;
    state_.site.widen_to_topology(taken);
    place.candidates -= taken;
  }
  if (record.features) place.candidates &= record.features->any;
  return true;
}

bool Places::enough(const JobRecord& record, const NodeSet& nodes) const {
  const Request& request = record.job->request;
  const NodeCounts counts = node_counts(state_.partition(record.partition), request);
  return nodes.count() >= counts.least &&
         (!request.has_required() || nodes.contains(request.required));
}

bool Places::comes_to_test(const PlaceSearch& search) const {
  PlaceSearch again{search.record, search.duration, search.horizon};
  again.start = state_.now;
  Place place;
  while (free_nodes(again, again.start, place)) {
    if (enough(again.record, place.candidates)) return true;
    if (place.later == 0) return false;
    again.start = place.later;
  }
  return false;
}

std::optional<WillRun> Places::when_and_where(const PlaceSearch& search, const Place& place) {
  if (search.record.features && !search.record.features->plain())
    return will_run(state_, search.record, place.candidates, search.horizon);
  const WillRunQuestion question{place.candidates, search.horizon, place.later};
  FastWillRun fast = will_run_fast(state_, search.record, question, forecast_);
  switch (fast.answer) {
    case FastAnswer::Found:
      return std::move(fast.found);
    case FastAnswer::Never:
    case FastAnswer::TooLate:
      return {};
    case FastAnswer::Unknown:
      break;
  }
  return will_run(state_, search.record, place.candidates, search.horizon);
}

}  // namespace trainyard::slurm
