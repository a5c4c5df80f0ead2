#include "schedulers/slurm/passes/backfill/backfill.hpp"

#include "schedulers/slurm/passes/backfill/array_turns.hpp"
#include "schedulers/slurm/passes/backfill/places.hpp"
#include "schedulers/slurm/passes/backfill/quota.hpp"
#include "schedulers/slurm/passes/try_start.hpp"
#include "schedulers/slurm/queue/limits.hpp"
#include "schedulers/slurm/queue/queue.hpp"

#include <algorithm>
#include <string>

namespace trainyard::slurm {

namespace {

Time rounded_down(Time time, int resolution) { return time / resolution * resolution; }

class Backfill {
public:
  Backfill(SlurmState& state, Decisions& decisions)
      : state_(state),
        settings_(state.site.parameters.scheduler),
        decisions_(decisions),
        window_end_(state.now + 60 * static_cast<Time>(settings_.bf_window)),
        space_(rounded_down(state.now, settings_.bf_resolution),
               rounded_down(window_end_, settings_.bf_resolution), state.available),
        quota_(state.site),
        places_(state, space_, window_end_) {}

  BackfillCycle run() {
    for (const int index : state_.pending) state_.job(index).planned_start = 0;
    reserve_running();
    const int most_rows =
        settings_.bf_node_space_size > 0 ? settings_.bf_node_space_size : settings_.bf_max_job_test;
    for (const QueueEntry& entry : build_queue(state_)) {
      if (cycle_.tested >= settings_.bf_max_job_test) break;
      if (settings_.bf_max_job_start > 0 && cycle_.started >= settings_.bf_max_job_start) break;
      if (static_cast<int>(space_.rows().size()) > most_rows) break;
      JobRecord& record = state_.job(entry.job);
      if (!record.pending() || record.preempt_in_progress) continue;
      record.partition = entry.partition;
      consider(record, entry);
    }
    if (cycle_.reserved > 0) state_.changed();  // nodes are marked as planned
    return cycle_;
  }

private:
  // bf_running_job_reserve: whole nodes of running jobs, to their limits.
  void reserve_running() {
    if (!settings_.bf_running_job_reserve) return;
    for (const int index : state_.running) {
      const JobRecord& record = state_.job(index);
      if (record.job->request.exclusive)
        space_.reserve(0, record.end, record.allocation.nodes, settings_.bf_resolution);
    }
  }

  bool may_reserve(const JobRecord& record, const QueueEntry& entry) const {
    const SlurmQos* qos = state_.qos(record);
    const double all = settings_.bf_min_prio_reserve;
    const double threshold = qos ? qos->min_prio_threshold.value_or(all) : all;
    if (threshold > 0 && entry.priority < threshold) return false;
    const Time waited = state_.now - std::max(record.begin, record.submitted);
    if (settings_.bf_min_age_reserve > 0 && waited < settings_.bf_min_age_reserve) return false;
    if (settings_.bf_one_resv_per_job && record.planned_start > 0) return false;
    return quota_.may_reserve(entry.partition);
  }

  static bool limited(JobRecord& record, const std::string& limit) {
    if (!limit.empty()) record.reason = limit;
    return !limit.empty();
  }

  void consider(JobRecord& record, const QueueEntry& entry) {
    if (!may_use(state_, record, entry.partition)) return;
    if (!settings_.assoc_limit_stop && limited(record, limit_before_selection(state_, record)))
      return;
    if (turns_.skips(state_, record) || !quota_.take(record, entry.partition)) return;
    const NodeCounts counts = node_counts(state_.partition(entry.partition), record.job->request);
    if (counts.most < counts.least) return;
    find_place(record, entry);
  }

  int test_minutes(const JobRecord& record) const {
    const SlurmQos* qos = state_.qos(record);
    if (qos && qos->no_reserve && state_.site.parameters.preempt_mode != PreemptMode::Off) return 1;
    const int limit = minutes_of(state_, record);
    return record.job->time_min > 0 ? std::min(record.job->time_min, limit) : limit;
  }

  // Tries one time after the other until the job starts, has a place, or has none in the window.
  void find_place(JobRecord& record, const QueueEntry& entry) {
    PlaceSearch search{record, 60 * static_cast<Time>(test_minutes(record)),
                       may_reserve(record, entry) ? Horizon::Ever : Horizon::NowOnly};
    search.start = state_.now;
    while (try_at(search, entry)) continue;
    if (search.tested || (search.skipped && places_.comes_to_test(search))) ++cycle_.tested;
  }

  // Whether to try again, at search.start.
  bool try_at(PlaceSearch& search, const QueueEntry& entry) {
    std::optional<Place> place = places_.look(search);
    if (!place) return false;
    if (!place->found) return search.horizon == Horizon::Ever && again(search, place->later);
    place->found->start = std::max(place->found->start, search.start);
    return take(search, entry, *place);
  }

  static bool again(PlaceSearch& search, Time later) {
    if (later > 0) search.start = later;
    return later > 0;
  }

  // Starts the job or gives it this place, if it may have it.
  bool take(PlaceSearch& search, const QueueEntry& entry, Place& place) {
    WillRun& found = *place.found;
    if (found.start <= state_.now && found.nodes.intersects(state_.completing))
      found.start = state_.now + 1, place.later = 0;
    if (found.start <= state_.now) {
      if (start_now(search.record, place.candidates)) return false;
      place.later = 0;
    } else if (search.horizon == Horizon::NowOnly) {
      return false;
    }
    if (place.later > 0 && found.start > place.later) return again(search, place.later);
    if (found.start > window_end_) return false;
    const Time begin = rounded_down(found.start, settings_.bf_resolution);
    const Time end = reservation_end(found.start + search.duration);
    if (found.start > state_.now && space_.overlaps(begin, end, found.nodes))
      return again(search, found.start);
    reserve(search.record, entry, found, begin, end);
    return false;
  }

  Time reservation_end(Time end) const {
    const int resolution = settings_.bf_resolution;
    const bool up = state_.site.parameters.version >= SlurmVersion{24, 11};
    return rounded_down(end + (up ? resolution - 1 : 0), resolution);
  }

  bool start_now(JobRecord& record, const NodeSet& candidates) {
    const StartResult result = try_start(state_, record, candidates, decisions_);
    if (result != StartResult::Started)
      return result == StartResult::Reserved ||
             (result == StartResult::Limited && !settings_.assoc_limit_stop);
    decisions_.push_back({DecisionKind::Start, record.index, -1, /*by_backfill=*/true});
    ++cycle_.started;
    turns_.started();
    if (record.job->time_min > 0) stretch(record);
    places_.started(record);
    return true;
  }

  // --time-min: the limit grows to what fits before the next reservation of its nodes.
  void stretch(JobRecord& record) const {
    int limit = minutes_of(state_, record);
    const Time taken = space_.first_taken(record.allocation.nodes, state_.now);
    if (taken > 0 && taken < record.start + 60 * static_cast<Time>(limit))
      limit = static_cast<int>((taken - state_.now) / 60);
    record.time_limit = std::max(limit, record.job->time_min);
    record.end = record.start + 60 * static_cast<Time>(record.time_limit);
  }

  void reserve(JobRecord& record, const QueueEntry& entry, const WillRun& place, Time begin,
               Time end) {
    const TresCount wanted = tres_of(record.job->request, place.nodes.count());
    if (!settings_.assoc_limit_stop &&
        limited(record, limit_after_selection(state_, record, wanted)))
      return;
    const SlurmQos* qos = state_.qos(record);
    if (qos && qos->no_reserve) return;
    if (!quota_.may_reserve(entry.partition)) return;
    quota_.reserved(entry.partition);
    NodeSet nodes = place.nodes;
    if (state_.has_its_topology(record)) state_.site.widen_to_topology(nodes);
    space_.reserve(begin, end, nodes, settings_.bf_resolution);
    if (record.planned_start == 0 || place.start < record.planned_start)
      record.planned_start = place.start;
    ++cycle_.reserved;
    turns_.reserved(record, settings_.bf_max_job_array_resv);
  }

  SlurmState& state_;
  const SchedulerSettings& settings_;
  Decisions& decisions_;
  Time window_end_;
  NodeSpace space_;
  BackfillQuota quota_;
  Places places_;
  BackfillCycle cycle_;
  ArrayTurns turns_;
};

}  // namespace

BackfillCycle backfill_cycle(SlurmState& state, Decisions& decisions) {
  return Backfill(state, decisions).run();
}

}  // namespace trainyard::slurm
