#include "schedulers/slurm/passes/reserved_nodes.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

bool overlaps(const AdvanceReservation& reservation, Time start, Time duration) {
  return reservation.start < start + duration && reservation.end > start;
}

ReservedNodes within(const SlurmState& state, const AdvanceReservation& own, Time start) {
  ReservedNodes result;
  result.allowed = own.flex || own.any_nodes ? NodeSet::all(state.site.node_count()) : own.nodes;
  if (!own.flex && start < own.start) result.blocked = true, result.retry = own.start;
  return result;
}

}  // namespace

const AdvanceReservation* reservation_of(const SlurmState& state, const JobRecord& record) {
  for (const AdvanceReservation& each : state.reservations)
    if (!record.job->reservation.empty() && each.name == record.job->reservation) return &each;
  return nullptr;
}

ReservedNodes reserved_nodes(const SlurmState& state, const JobRecord& record, Time start,
                             Time duration) {
  if (!record.job->reservation.empty()) {
    if (const AdvanceReservation* own = reservation_of(state, record))
      return within(state, *own, start);
    ReservedNodes result;
    result.blocked = true;
    result.allowed = NodeSet(state.site.node_count());
    return result;
  }
  ReservedNodes result;
  result.allowed = NodeSet::all(state.site.node_count());
  const NodeSet& partition = state.partition(record.partition).nodes;
  const Request& request = record.job->request;
  for (const AdvanceReservation& each : state.reservations) {
    if (!overlaps(each, start, duration)) continue;
    const bool whole = each.maintenance && each.nodes.contains(partition);
    const bool required = request.has_required() && request.required.intersects(each.nodes);
    if (whole || required) {
      result.blocked = true;
      result.retry = std::max(result.retry, each.end);
    }
    result.allowed -= each.nodes;
    result.overlap |= partition.intersects(each.nodes);
  }
  return result;
}

Time next_reservation_end(const SlurmState& state, Time start) {
  Time first = 0;
  for (const AdvanceReservation& each : state.reservations)
    if (each.end > start && (first == 0 || each.end < first)) first = each.end;
  return first;
}

}  // namespace trainyard::slurm
