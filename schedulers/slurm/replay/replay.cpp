#include "schedulers/slurm/replay/replay.hpp"

#include "schedulers/slurm/controller/scontrol.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

Cadence cadence_of(const SlurmSite& site, const WorldDelays& delays) {
  Cadence cadence;
  cadence.begins = site.parameters.accounting ? delays.controller_begins_with_accounts
                                              : delays.controller_begins;
  cadence.knows_accounts = delays.knows_accounts;
  cadence.epoch = delays.epoch;
  return cadence;
}

// A job suspended so soon has not run at all.
constexpr double kAtOnce = 0.5;

}  // namespace

Replay::Replay(const SlurmSite& site, const std::vector<SlurmJob>& jobs,
               const std::vector<GoldenEvent>& events, const WorldDelays& delays)
    : jobs_(jobs), events_(events), delays_(delays), controller_(site, cadence_of(site, delays)) {
  for (std::size_t i = 0; i < jobs.size(); ++i)
    add(jobs[i].submitted, What::Submit, static_cast<int>(i));
  for (std::size_t i = 0; i < events.size(); ++i)
    add(events[i].time, What::Event, static_cast<int>(i));
}

void Replay::add(double time, What what, int index, int node) {
  heap_.push_back({time, next_order_++, what, index, node});
  std::push_heap(heap_.begin(), heap_.end(), Later());
}

ReplayResult Replay::run(double latest) {
  const SlurmState& state = controller_.state();
  while (!heap_.empty() || !state.running.empty() || !state.pending.empty()) {
    const double wake = controller_.next_wake();
    now_ = heap_.empty() ? wake : std::min(wake, heap_.front().time);
    if (now_ > latest) break;
    if (heap_.empty() || wake < heap_.front().time) {
      carry_out(controller_.wake(wake));
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    const Happening happening = heap_.back();
    heap_.pop_back();
    controller_.set_time(now_);
    happen(happening);
  }
  return std::move(result_);
}

void Replay::happen(const Happening& happening) {
  SlurmState& state = controller_.state();
  switch (happening.what) {
    case What::Submit:
      return submit(jobs_[static_cast<std::size_t>(happening.index)]);
    case What::Event:
      return event(events_[static_cast<std::size_t>(happening.index)]);
    case What::JobEnds:
      return job_ends(state.job(happening.index));
    case What::JobDies:
      return killed(state.job(happening.index));
    case What::NodeClean:
      return node_clean(state.job(happening.index), happening.node);
    case What::NodeReturns:
      if (state.is_down(happening.node)) state.set_up(happening.node);
      return;
  }
}

void Replay::submit(const SlurmJob& job) {
  std::string refusal;
  if (controller_.submit(job, now_, refusal).empty()) result_.refused.push_back(job.id);
  const auto count = static_cast<std::size_t>(controller_.state().job_count());
  open_.resize(count, -1);
  ends_.resize(count, -1);
  stopped_.resize(count, -1);
}

void Replay::event(const GoldenEvent& event) {
  if (event.action.rfind("snap", 0) == 0) return;  // somebody looked
  const CommandResult result = run_scontrol(controller_, event.action, now_);
  if (!result.known) result_.unknown_events.push_back(event.action);
  carry_out(result.decisions);
  // A node answers the order to end its jobs, and for some sites that is enough to take it back.
  if (controller_.state().site.parameters.return_to_service == 2)
    for (const int node : result.answering)
      add(now_ + delays_.return_to_service, What::NodeReturns, node, node);
}

void Replay::carry_out(const Decisions& decisions) {
  for (const Decision& decision : decisions) {
    JobRecord& record = controller_.state().job(decision.job);
    switch (decision.kind) {
      case DecisionKind::Start:
        started(decision);
        break;
      case DecisionKind::Suspend:
        stopped_[static_cast<std::size_t>(decision.job)] = now_;
        break;
      case DecisionKind::Resume:
        resumed(record);
        break;
      case DecisionKind::Warn:
        break;  // these jobs do not listen
      case DecisionKind::Kill:
        kill(decision);
        break;
    }
  }
}

void Replay::started(const Decision& decision) {
  const JobRecord& record = controller_.state().job(decision.job);
  Segment segment;
  segment.job = decision.job;
  segment.restarts = record.restarts;
  segment.start = now_;
  segment.allocation = record.allocation;
  segment.by_backfill = decision.by_backfill;
  segment.by_full_pass = decision.by_full_pass;
  segment.waited_for = record.waited_for;
  for (std::size_t i = 0; i < record.priorities.size(); ++i)
    if (record.job->partitions[i] == record.partition) segment.priority = record.priorities[i];
  open_[static_cast<std::size_t>(decision.job)] = static_cast<int>(result_.segments.size());
  result_.segments.push_back(std::move(segment));
  const double end = now_ + record.job->run_time + delays_.job_end;
  ends_[static_cast<std::size_t>(decision.job)] = end;
  add(end, What::JobEnds, decision.job);
}

void Replay::resumed(const JobRecord& record) {
  const auto job = static_cast<std::size_t>(record.index);
  const double started = result_.segments[static_cast<std::size_t>(open_[job])].start;
  const bool fresh = stopped_[job] - started < kAtOnce;
  if (fresh || !delays_.stopped_time_counts) ends_[job] += now_ - stopped_[job];
  add(std::max(ends_[job], now_), What::JobEnds, record.index);
}

void Replay::close_segment(const JobRecord& record, const std::string& end_state) {
  const auto job = static_cast<std::size_t>(record.index);
  if (open_[job] < 0) return;
  Segment& segment = result_.segments[static_cast<std::size_t>(open_[job])];
  segment.end = now_;
  segment.end_state = end_state;
  open_[job] = -1;
  ends_[job] = -1;
}

void Replay::kill(const Decision& decision) {
  JobRecord& record = controller_.state().job(decision.job);
  if (const int segment = open_[static_cast<std::size_t>(decision.job)]; segment >= 0)
    result_.segments[static_cast<std::size_t>(segment)].preempted_for = decision.for_job;
  close_segment(record, record.pending() ? "REQUEUED" : record.end_state);
  if (record.job->ignores_sigterm)
    add(now_ + controller_.state().site.parameters.kill_wait, What::JobDies, record.index);
  else
    killed(record);
}

void Replay::killed(JobRecord& record) {
  clean(record, delays_.batch_host_clean, delays_.node_clean);
}

// The controller hears of every node in turn; of nodes that are down it hears nothing.
void Replay::clean(JobRecord& record, double after_batch, double after_others) {
  bool first = true;
  for (const NodeShare& share : record.allocation.shares) {
    const double after = first ? after_batch : after_others;
    first = false;
    if (!controller_.state().is_down(share.node))
      add(now_ + after, What::NodeClean, record.index, share.node);
  }
}

// Killed, suspended or prolonged since: then another end is coming, or none.
void Replay::job_ends(JobRecord& record) {
  const double end = ends_[static_cast<std::size_t>(record.index)];
  if (record.state != JobState::Running || end < 0 || end > now_) return;
  const std::string end_state = record.job->exit_code == 0 ? "COMPLETED" : "FAILED";
  close_segment(record, end_state);
  carry_out(controller_.job_finished(record, end_state, now_));
  clean(record, delays_.node_clean, delays_.node_clean);
}

// A kill's last node reports by a message, which runs a pass at once; where nothing is left to kill
// the answer to the order says so, and a pass is only asked for.
void Replay::node_clean(JobRecord& record, int node) {
  if (!record.completing || !node_cleaned(controller_.state(), record, node)) return;
  const bool ended_itself = record.end_state == "COMPLETED" || record.end_state == "FAILED";
  if (record.pending() || !ended_itself)
    carry_out(controller_.pass_now(now_));
  else
    controller_.queue_pass();
}

}  // namespace trainyard::slurm
