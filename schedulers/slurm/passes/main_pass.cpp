#include "schedulers/slurm/passes/main_pass.hpp"

#include "schedulers/slurm/passes/try_start.hpp"
#include "schedulers/slurm/queue/limits.hpp"
#include "schedulers/slurm/queue/queue.hpp"

#include <map>
#include <set>
#include <string>

namespace trainyard::slurm {

namespace {

class MainPass {
public:
  MainPass(SlurmState& state, PassDepth depth, Decisions& decisions)
      : state_(state),
        depth_(depth),
        decisions_(decisions),
        closed_(state.site.partitions.size()),
        tried_(state.site.partitions.size()),
        available_(state.available) {}

  void run() {
    const SchedulerSettings& settings = state_.site.parameters.scheduler;
    int started = 0, count = 0;
    for (const QueueEntry& entry : build_queue(state_)) {
      if (settings.sched_max_job_start > 0 && started >= settings.sched_max_job_start) break;
      JobRecord& record = state_.job(entry.job);
      if (!record.pending() || record.preempt_in_progress) continue;
      record.partition = entry.partition;
      if (rejected_array(record)) continue;
      int& tried = tried_[static_cast<std::size_t>(entry.partition)];
      if (settings.partition_job_depth > 0 && tried++ >= settings.partition_job_depth) continue;
      // Slurm tests the count before it counts: one more than the depth says.
      if (depth_ == PassDepth::Default && count++ > settings.default_queue_depth) break;
      started += attempt(record, entry) ? 1 : 0;
    }
  }

private:
  // Whether it started.
  bool attempt(JobRecord& record, const QueueEntry& entry) {
    const std::string& reservation = record.job->reservation;
    const bool closed = reservation.empty()
                            ? closed_[static_cast<std::size_t>(entry.partition)] != 0
                            : closed_reservations_.count(reservation) > 0;
    if (closed) {
      if (record.reason.empty() || record.reason == "Resources") record.reason = "Priority";
      state_.changed();
      return reject(record), false;
    }
    const std::string limit = limit_before_selection(state_, record);
    if (!limit.empty()) {
      record.reason = limit;
      return reject(record), false;
    }
    const SlurmPartition& partition = state_.partition(entry.partition);
    if (record.job->request.min_nodes > available_.count_common(partition.nodes)) {
      record.reason = "Resources";
      close(entry.partition);
      return reject(record), false;
    }
    const StartResult result = try_start(state_, record, usable(record), decisions_);
    if (result == StartResult::Started) {
      decisions_.push_back({DecisionKind::Start, record.index, -1, /*by_backfill=*/false,
                            depth_ == PassDepth::FullQueue});
      return true;
    }
    reject(record);
    after_failure(record, entry, result);
    return false;
  }

  NodeSet usable(const JobRecord& record) const {
    NodeSet nodes = available_;
    const Request& request = record.job->request;
    if (request.excluded.size() > 0) nodes -= request.excluded;
    return nodes;
  }

  // Lower jobs are kept off the partition's nodes, in other partitions too; unless the job named
  // its nodes, holds a reservation, or is too young or too low to be waited for.
  void after_failure(const JobRecord& record, const QueueEntry& entry, StartResult result) {
    const SchedulerSettings& settings = state_.site.parameters.scheduler;
    const Request& request = record.job->request;
    bool closes = result == StartResult::Busy ||
                  (result == StartResult::Limited && settings.assoc_limit_stop);
    if (request.has_required() && request.required.count() >= request.min_nodes) {
      available_ -= request.required;
      return;
    }
    if (closes && !record.job->reservation.empty()) {
      closed_reservations_.insert(record.job->reservation);
      return;
    }
    const Time waited = state_.now - (record.begin > 0 ? record.begin : record.submitted);
    if (settings.bf_min_age_reserve > 0 && waited < settings.bf_min_age_reserve) closes = false;
    if (entry.priority < reserve_threshold(record)) closes = false;
    if (closes) close(entry.partition);
  }

  double reserve_threshold(const JobRecord& record) const {
    const SlurmQos* qos = state_.qos(record);
    const double all = state_.site.parameters.scheduler.bf_min_prio_reserve;
    return qos ? qos->min_prio_threshold.value_or(all) : all;
  }

  void close(int partition) {
    if (closed_[static_cast<std::size_t>(partition)]) return;
    closed_[static_cast<std::size_t>(partition)] = 1;
    available_ -= state_.partition(partition).nodes;
  }

  // When one task of an array cannot start, no other of it is tried in this partition.
  void reject(const JobRecord& record) {
    if (record.is_task()) rejected_.insert({record.number, record.partition});
  }
  bool rejected_array(JobRecord& record) {
    if (!record.is_task()) return false;
    if (rejected_.count({record.number, record.partition}) > 0) return true;
    if (array_has_room(state_, record)) return false;
    record.reason = "JobArrayTaskLimit";
    return true;
  }

  SlurmState& state_;
  PassDepth depth_;
  Decisions& decisions_;
  std::vector<char> closed_;
  std::vector<int> tried_;
  NodeSet available_;  // less what higher jobs are waiting for
  std::set<std::pair<long, int>> rejected_;
  std::set<std::string> closed_reservations_;
};

}  // namespace

void main_pass(SlurmState& state, PassDepth depth, Decisions& decisions) {
  MainPass(state, depth, decisions).run();
}

}  // namespace trainyard::slurm
