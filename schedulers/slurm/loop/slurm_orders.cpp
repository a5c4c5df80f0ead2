// Slurm's decisions as the controller's orders, and the notes that explain them.
#include "base/text.hpp"
#include "schedulers/slurm/loop/slurm_scheduler.hpp"
#include "schedulers/slurm/queue/priority.hpp"

#include <cmath>

namespace trainyard::slurm {

namespace {

constexpr int kNamed = 5;  // of those ahead

using EndState = trainyard::JobState;

// How a run that Slurm stops ends, and why.
Stop stop_of(const JobRecord& record, const std::string& victor) {
  Stop stop;
  stop.cause = victor.empty() ? "requeued" : "preempted for " + victor;
  if (record.end_state.empty() || record.pending() || record.end_state == "PREEMPTED") return stop;
  if (record.end_state == "TIMEOUT") return {{}, EndState::Timeout, "time limit"};
  if (record.end_state == "NODE_FAIL") return {{}, EndState::NodeFail, "a node failed"};
  return {{}, EndState::Cancelled, "cancelled"};
}

}  // namespace

std::string SlurmScheduler::named(int record) const {
  const JobId job = known(record).job;
  return job.valid() ? log_.jobs[job.index()].name : "";
}

void SlurmScheduler::give_orders(const Decisions& decisions) {
  for (const Decision& decision : decisions) {
    const JobId job = known(decision.job).job;
    const std::string victor = decision.for_job < 0 ? "" : named(decision.for_job);
    switch (decision.kind) {
      case DecisionKind::Start:
        start(decision);
        break;
      case DecisionKind::Warn:
        note(decision.job, "warned").by = victor;
        orders_.emplace_back(Warn{job, "preempted for " + victor, victor_of(decision)});
        break;
      case DecisionKind::Signal:
        note(decision.job, "signalled").reason = "the time limit is near";
        orders_.emplace_back(Warn{job, "signalled: the time limit is near"});
        break;
      case DecisionKind::Kill:
        stop(decision);
        break;
      case DecisionKind::Suspend:
        note(decision.job, "suspended");
        orders_.emplace_back(Suspend{job});
        break;
      case DecisionKind::Resume:
        note(decision.job, "resumed");
        orders_.emplace_back(Resume{job});
        break;
    }
  }
}

JobId SlurmScheduler::victor_of(const Decision& decision) const {
  return decision.for_job < 0 ? JobId() : known(decision.for_job).job;
}

void SlurmScheduler::start(const Decision& decision) {
  const JobRecord& record = controller_.state().job(decision.job);
  DecisionRecord& row = note(decision.job, "starts");
  row.reason = record.waited_for;
  row.by = decision.by_backfill ? "backfill" : decision.by_full_pass ? "full pass" : "main";
  row.allocation = allocation_of(record);
  known(decision.job).reason.clear();
  orders_.emplace_back(Start{known(decision.job).job, row.allocation});
}

void SlurmScheduler::stop(const Decision& decision) {
  const JobRecord& record = controller_.state().job(decision.job);
  const std::string victor = decision.for_job < 0 ? "" : named(decision.for_job);
  Stop stop = stop_of(record, victor);
  stop.job = known(decision.job).job;
  stop.for_job = victor_of(decision);
  stop.patience = seconds(setup_.site.parameters.kill_wait);
  DecisionRecord& row = note(decision.job, record.pending() ? "requeued" : "stopped");
  row.reason = stop.cause;
  row.by = victor;
  note_dirty(record);
  orders_.emplace_back(stop);
}

trainyard::Allocation SlurmScheduler::allocation_of(const JobRecord& record) const {
  trainyard::Allocation allocation;
  for (const NodeShare& share : record.allocation.shares) {
    const NodeId node = setup_.node_of[static_cast<std::size_t>(share.node)];
    for (int gpu = 0; gpu < 64; ++gpu)
      if ((share.gpus >> gpu) & 1)
        allocation.gpus.emplace_back(platform_.nodes[node.index()].first_gpu.value() + gpu);
  }
  return allocation;
}

// ---- Notes ----

DecisionRecord& SlurmScheduler::note(int record, const char* what) {
  DecisionRecord row;
  row.at = Seconds(now_);
  row.job = known(record).job;
  row.what = what;
  log_.history.push_back(std::move(row));
  note_priority(controller_.state().job(record), log_.history.back());
  return log_.history.back();
}

void SlurmScheduler::note_priority(const JobRecord& record, DecisionRecord& row) const {
  row.priority = record.priority();
  if (!setup_.site.parameters.priority.multifactor || record.held) return;
  const PriorityFactors factors = priority_factors(controller_.state(), record, record.partition);
  const auto term = [&row](const char* name, double value) {
    if (value != 0)
      row.factors += (row.factors.empty() ? "" : " ") + std::string(name) + "=" +
                     std::to_string(std::llround(value));
  };
  term("age", factors.age), term("assoc", factors.association);
  term("fairshare", factors.fairshare), term("jobsize", factors.job_size);
  term("partition", factors.partition), term("qos", factors.qos);
  term("tres", factors.tres), term("nice", -factors.nice);
}

// Those whose reason to wait is another than before.
void SlurmScheduler::note_waiting() {
  const SlurmState& state = controller_.state();
  for (const int index : state.pending) {
    const JobRecord& record = state.job(index);
    if (record.reason.empty() || record.reason == known(index).reason) continue;
    known(index).reason = record.reason;
    DecisionRecord& row = note(index, "waits");
    row.reason = record.reason;
    int count = 0;
    std::string names;
    for (const int other : state.pending) {
      if (state.job(other).priority() <= record.priority()) continue;
      if (++count <= kNamed) names += " " + named(other);
    }
    if (count > 0) row.ahead = std::to_string(count) + ":" + names;
  }
}

}  // namespace trainyard::slurm
