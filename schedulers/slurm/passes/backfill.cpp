#include "schedulers/slurm/passes/backfill.hpp"

#include "schedulers/slurm/passes/backfill_quota.hpp"
#include "schedulers/slurm/passes/node_space.hpp"
#include "schedulers/slurm/passes/reserved_nodes.hpp"
#include "schedulers/slurm/passes/try_start.hpp"
#include "schedulers/slurm/passes/will_run_fast.hpp"
#include "schedulers/slurm/queue/limits.hpp"
#include "schedulers/slurm/queue/queue.hpp"

#include <algorithm>

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
        forecast_(state),
        reserved_of_array_(0) {}

  BackfillCycle run() {
    for (JobRecord* record : pending_records()) record->planned_start = 0;
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
  std::vector<JobRecord*> pending_records() {
    std::vector<JobRecord*> records;
    for (const int index : state_.pending) records.push_back(&state_.job(index));
    return records;
  }

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

  void consider(JobRecord& record, const QueueEntry& entry) {
    if (!may_use(state_, record, entry.partition)) return;
    if (!settings_.assoc_limit_stop) {
      const std::string limit = limit_before_selection(state_, record);
      if (!limit.empty()) {
        record.reason = limit;
        return;
      }
    }
    if (rejected_array(record) || !quota_.take(record, entry.partition)) return;
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

  // How far the search for one job's place has come.
  struct Search {
    JobRecord& record;
    const QueueEntry& entry;
    Time duration, start;
    bool reserves, counted;
  };

  // Tries one time after the other until the job starts, has a place, or has none in the window.
  void find_place(JobRecord& record, const QueueEntry& entry) {
    Search search{record,
                  entry,
                  60 * static_cast<Time>(test_minutes(record)),
                  state_.now,
                  may_reserve(record, entry),
                  false};
    while (try_at(search)) continue;
  }

  // Whether to try again, at search.start.
  bool try_at(Search& search) {
    Time later = 0;
    const auto candidates = free_nodes(search.record, search.start, search.duration, later);
    if (!candidates) return false;
    std::optional<WillRun> found;
    if (enough(search.record, *candidates)) {
      if (!search.counted) ++cycle_.tested, search.counted = true;
      found = when_and_where(search.record, *candidates,
                             search.reserves ? Horizon::Ever : Horizon::NowOnly);
    }
    if (!found) return search.reserves && again(search, later);
    found->start = std::max(found->start, search.start);
    return take(search, *candidates, *found, later);
  }

  static bool again(Search& search, Time later) {
    if (later > 0) search.start = later;
    return later > 0;
  }

  // Starts the job or gives it this place, if it may have it.
  bool take(Search& search, const NodeSet& candidates, WillRun& found, Time later) {
    if (found.start <= state_.now && found.nodes.intersects(state_.completing))
      found.start = state_.now + 1, later = 0;
    if (found.start <= state_.now) {
      if (start_now(search.record, candidates)) return false;
      later = 0;
    } else if (!search.reserves) {
      return false;
    }
    if (later > 0 && found.start > later) return again(search, later);
    if (found.start > window_end_) return false;
    const Time begin = rounded_down(found.start, settings_.bf_resolution);
    const Time end = reservation_end(found.start + search.duration);
    if (found.start > state_.now && space_.overlaps(begin, end, found.nodes))
      return again(search, found.start);
    reserve(search.record, search.entry, found, begin, end);
    return false;
  }

  std::optional<WillRun> when_and_where(JobRecord& record, const NodeSet& candidates,
                                        Horizon horizon) {
    FastWillRun fast = will_run_fast(state_, record, {candidates, horizon}, forecast_);
    switch (fast.answer) {
      case FastAnswer::Found:
        return std::move(fast.found);
      case FastAnswer::Never:
        return {};
      case FastAnswer::Unknown:
        break;
    }
    return will_run(state_, record, candidates, horizon);
  }

  Time reservation_end(Time end) const {
    const int resolution = settings_.bf_resolution;
    const bool up = state_.site.parameters.version != SlurmVersion::V2205;
    return rounded_down(end + (up ? resolution - 1 : 0), resolution);
  }

  // Nodes of the partition that are up and that nobody has reserved while the job would run.
  // `start` moves with advance reservations; `later`: when there may be others. Nothing: never.
  std::optional<NodeSet> free_nodes(const JobRecord& record, Time& start, Time duration,
                                    Time& later) const {
    ReservedNodes allowed = reserved_nodes(state_, record, start, duration);
    for (int tries = 0; allowed.blocked && tries < 10; ++tries) {
      if (allowed.retry <= start) return {};
      start = allowed.retry;
      allowed = reserved_nodes(state_, record, start, duration);
    }
    if (allowed.blocked) return {};
    const Time end = std::max(start, state_.now) + duration;
    NodeSet base = allowed.allowed;
    base &= state_.partition(record.partition).nodes;
    base &= state_.available;
    NodeSet nodes = base;
    const std::vector<SpaceRow>& rows = space_.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].end <= start) continue;
      if (later == 0 && i + 1 < rows.size() && offers_more(base, nodes, rows[i], rows[i + 1]))
        later = rows[i].end;
      if (rows[i].begin > end) break;
      nodes &= rows[i].nodes;
    }
    if (allowed.overlap) {
      const Time after = next_reservation_end(state_, start) + 1;
      if (after < window_end_ && (later == 0 || after < later)) later = after;
    }
    if (record.job->request.excluded.size() > 0) nodes -= record.job->request.excluded;
    return nodes;
  }

  // Whether the next row has a node that is not free up to here.
  static bool offers_more(const NodeSet& base, const NodeSet& nodes, const SpaceRow& row,
                          const SpaceRow& next) {
    NodeSet here = nodes, there = base;
    here &= row.nodes;
    there &= next.nodes;
    return !here.contains(there);
  }

  bool enough(const JobRecord& record, const NodeSet& nodes) const {
    const Request& request = record.job->request;
    const NodeCounts counts = node_counts(state_.partition(record.partition), request);
    return nodes.count() >= counts.least &&
           (!request.has_required() || nodes.contains(request.required));
  }

  bool start_now(JobRecord& record, const NodeSet& candidates) {
    const StartResult result = try_start(state_, record, candidates, decisions_);
    forecast_.outdated();
    if (result != StartResult::Started)
      return result == StartResult::Reserved ||
             (result == StartResult::Limited && !settings_.assoc_limit_stop);
    decisions_.push_back({DecisionKind::Start, record.index, -1, /*by_backfill=*/true});
    ++cycle_.started;
    rejected_array_ = {0, -1};
    if (record.job->time_min > 0) stretch(record);
    return true;
  }

  // --time-min: the limit grows to what fits before the next reservation of its nodes.
  void stretch(JobRecord& record) const {
    int limit = minutes_of(state_, record);
    for (const SpaceRow& row : space_.rows())
      if (row.begin > state_.now && row.begin < record.start + 60 * static_cast<Time>(limit) &&
          !row.nodes.contains(record.allocation.nodes))
        limit = std::min(limit, static_cast<int>((row.begin - state_.now) / 60));
    record.time_limit = std::max(limit, record.job->time_min);
    record.end = record.start + 60 * static_cast<Time>(record.time_limit);
  }

  void reserve(JobRecord& record, const QueueEntry& entry, const WillRun& place, Time begin,
               Time end) {
    if (!settings_.assoc_limit_stop) {
      const std::string limit =
          limit_after_selection(state_, record, tres_of(record.job->request, place.nodes.count()));
      if (!limit.empty()) {
        record.reason = limit;
        return;
      }
    }
    const SlurmQos* qos = state_.qos(record);
    if (qos && qos->no_reserve) return;
    if (!quota_.may_reserve(entry.partition)) return;
    quota_.reserved(entry.partition);
    space_.reserve(begin, end, place.nodes, settings_.bf_resolution);
    if (record.planned_start == 0 || place.start < record.planned_start)
      record.planned_start = place.start;
    ++cycle_.reserved;
    allow_next_task(record);
  }

  // After one task of an array has no place, no other is tried; after one has, so many more.
  bool rejected_array(JobRecord& record) {
    if (!record.is_task()) return false;
    const std::pair<long, int> array{record.number, record.partition};
    if (rejected_array_ == array) return true;
    rejected_array_ = array;
    if (array_has_room(state_, record)) return false;
    record.reason = "JobArrayTaskLimit";
    return true;
  }
  void allow_next_task(const JobRecord& record) {
    if (!record.is_task()) {
      rejected_array_ = {0, -1};
      return;
    }
    reserved_of_array_ = array_ == record.number ? reserved_of_array_ + 1 : 1;
    array_ = record.number;
    const int at_once = record.job->array_at_once;
    if (reserved_of_array_ < settings_.bf_max_job_array_resv &&
        (at_once == 0 || reserved_of_array_ < at_once))
      rejected_array_ = {0, -1};
  }

  SlurmState& state_;
  const SchedulerSettings& settings_;
  Decisions& decisions_;
  Time window_end_;
  NodeSpace space_;
  BackfillQuota quota_;
  Forecast forecast_;
  BackfillCycle cycle_;
  std::pair<long, int> rejected_array_{0, -1};
  long array_ = -1;
  int reserved_of_array_;
};

}  // namespace

BackfillCycle backfill_cycle(SlurmState& state, Decisions& decisions) {
  return Backfill(state, decisions).run();
}

}  // namespace trainyard::slurm
