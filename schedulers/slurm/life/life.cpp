#include "schedulers/slurm/life/life.hpp"

#include <algorithm>
#include <utility>

namespace trainyard::slurm {

void start_job(SlurmState& state, JobRecord& record) {
  const SlurmPartition& partition = state.partition(record.partition);
  if (record.time_limit == kNoLimit || record.time_limit > partition.max_time)
    record.time_limit = partition.default_time != kNoLimit && record.time_limit == kNoLimit
                            ? partition.default_time
                            : partition.max_time;
  constexpr Time kYear = Time{365} * 24 * 3600;
  record.start = state.now;
  record.end = state.now +
               (record.time_limit == kNoLimit ? kYear : 60 * static_cast<Time>(record.time_limit));
  record.preempt_time = 0;
  record.preempt_start = 0;
  record.signalled = false;
  record.planned_start = 0;
  record.waited_for = std::move(record.reason);
  record.reason.clear();
  state.hold(record);
}

void finish_job(SlurmState& state, JobRecord& record, const std::string& end_state) {
  state.usage.charge_end(state.site, record, state.now);
  record.state = JobState::Done;
  record.end_state = end_state;
  record.end = state.now;
  state.give_back(record);
}

void requeue_job(SlurmState& state, JobRecord& record) {
  state.usage.charge_end(state.site, record, state.now);
  const Time ready = state.now + state.site.parameters.cred_expire + 1;
  record.begin = std::max(record.begin, ready);
  record.submitted = record.submitted == state.now ? state.now + 1 : state.now;
  record.accrue = 0;
  ++record.restarts;
  record.end = state.now;
  state.give_back(record);
  record.state = JobState::Pending;
  record.preempt_time = 0;
  state.pending.insert(std::lower_bound(state.pending.begin(), state.pending.end(), record.index),
                       record.index);
}

bool node_cleaned(SlurmState& state, JobRecord& record, int node) {
  state.node_completed(node);
  if (record.completing_nodes > 0) --record.completing_nodes;
  if (record.completing_nodes == 0) record.completing = false;
  return !record.completing;
}

void drop_pending(SlurmState& state, JobRecord& record, const std::string& end_state) {
  const auto found = std::lower_bound(state.pending.begin(), state.pending.end(), record.index);
  if (found != state.pending.end() && *found == record.index) state.pending.erase(found);
  record.state = JobState::Done;
  record.end_state = end_state;
  record.end = state.now;
  state.changed();
}

bool can_requeue(const JobRecord& record) { return record.job->batch && record.requeueable; }

}  // namespace trainyard::slurm
