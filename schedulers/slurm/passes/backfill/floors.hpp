// What one backfill cycle has learnt about when places can be had at all.
//
// A job of a shape that wants so many nodes for so long can have a place at time t only if so many
// nodes are free from t on for so long and, of running jobs' ends, ready by t. Within a cycle both
// only become fewer: rows lose nodes, starting jobs take theirs. So where no place was to be had
// for a job, none is to be had later in the cycle for one that wants the same for as long or
// longer.
#pragma once

#include "schedulers/slurm/job/record.hpp"

#include <iterator>
#include <map>
#include <utility>

namespace trainyard::slurm {

// Of one shape: before which time there is certainly no place.
class PlaceFloor {
public:
  // For `nodes` nodes over `duration`; 0: nothing is known.
  Time of(int nodes, Time duration) const {
    const auto found = floors_.find(nodes);
    if (found == floors_.end()) return 0;
    const auto after = found->second.upper_bound(duration);
    return after == found->second.begin() ? 0 : std::prev(after)->second;
  }

  // None before `time`, for this duration and all longer ones.
  void raise(int nodes, Time duration, Time time) {
    if (of(nodes, duration) >= time) return;
    std::map<Time, Time>& floors = floors_[nodes];
    auto next = floors.insert_or_assign(duration, time).first;
    for (++next; next != floors.end() && next->second <= time;) next = floors.erase(next);
  }

private:
  std::map<int, std::map<Time, Time>> floors_;  // INVARIANT: longer durations have later floors
};

}  // namespace trainyard::slurm
