// What the controller decided, done to the replayed cluster's jobs and nodes.

#include "schedulers/slurm/replay/replay.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

// A job suspended so soon has not run at all.
constexpr double kAtOnce = 0.5;

}  // namespace

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
      case DecisionKind::Signal:
        warned(decision);
        break;
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

// These jobs do not listen.
void Replay::warned(const Decision& decision) {
  const int open = open_[static_cast<std::size_t>(decision.job)];
  if (open < 0) return;
  Segment& segment = result_.segments[static_cast<std::size_t>(open)];
  if (segment.warned < 0) segment.warned = now_;
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
