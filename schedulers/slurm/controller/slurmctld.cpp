#include "schedulers/slurm/controller/slurmctld.hpp"

#include "schedulers/slurm/passes/backfill/backfill.hpp"
#include "schedulers/slurm/passes/main_pass.hpp"
#include "schedulers/slurm/preempt/preemption.hpp"
#include "schedulers/slurm/queue/priority.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::slurm {

namespace {

constexpr Time kPeriodicTimeout = 30;  // limits are looked at this often

// Of a loop that ticks every second: its first tick at `time` or later.
double tick_at(double tick, double time) {
  return time <= tick ? tick : tick + std::ceil(time - tick);
}

}  // namespace

Slurmctld::Slurmctld(const SlurmSite& site, const Cadence& cadence)
    : state_(site),
      epoch_(cadence.epoch),
      gang_(site),
      next_main_(cadence.begins + 1 + cadence.main_behind),
      next_backfill_(cadence.begins + site.parameters.scheduler.bf_interval),
      next_priorities_(cadence.begins + site.parameters.priority.calc_period),
      next_slice_(cadence.begins + site.parameters.time_slice) {
  set_time(cadence.begins);
  if (cadence.knows_accounts) state_.shares = fair_shares(state_);
  last_full_ = last_pass_ = last_limits_ = last_backfill_ = state_.now;
  state_.changed();
}

void Slurmctld::set_time(double now) {
  time_ = now;
  constexpr Time kAbove = 1'000'000;  // rounds down before 0 too
  state_.now = static_cast<Time>(now + static_cast<double>(kAbove)) - kAbove + epoch_;
}

Decisions Slurmctld::pass_now(double now) {
  set_time(now);
  Decisions decisions;
  if (state_.site.parameters.scheduler.defer) return queue_pass(), decisions;
  main_pass(state_, PassDepth::Default, decisions);
  settle(decisions);
  return decisions;
}

Decisions Slurmctld::job_finished(JobRecord& record, const std::string& end_state, double now) {
  set_time(now);
  Decisions decisions;
  finish_job(state_, record, end_state);
  gang_.ended(state_, record, decisions);
  return decisions;
}

// Suspending and resuming follow the starts and kills that call for them.
void Slurmctld::settle(Decisions& decisions) {
  if (!state_.site.parameters.gang) return;
  Decisions settled;
  for (const Decision& decision : decisions) {
    settled.push_back(decision);
    JobRecord& record = state_.job(decision.job);
    if (decision.kind == DecisionKind::Start) gang_.started(state_, record, settled);
    if (decision.kind == DecisionKind::Kill) gang_.ended(state_, record, settled);
  }
  decisions = std::move(settled);
}

bool Slurmctld::recomputes() const {
  return state_.site.parameters.priority.multifactor && state_.site.parameters.accounting;
}

// The earliest of what a tick would do: look at limits, a full pass, a pass that was asked for.
double Slurmctld::next_main() const {
  const SchedulerSettings& settings = state_.site.parameters.scheduler;
  Time due = last_limits_ + kPeriodicTimeout;
  if (settings.sched_interval >= 0) {
    due = std::min(due, last_full_ + settings.sched_interval);
    if (pass_queued_) due = std::min(due, last_pass_ + settings.batch_sched_delay);
  }
  return tick_at(next_main_, std::max(time_, static_cast<double>(due - epoch_)));
}

// Not before something has changed.
double Slurmctld::next_backfill() const {
  if (!state_.site.parameters.backfill || state_.last_change < last_backfill_)
    return std::numeric_limits<double>::infinity();
  const Time due = last_backfill_ + state_.site.parameters.scheduler.bf_interval - epoch_;
  return tick_at(next_backfill_, std::max(time_, static_cast<double>(due)));
}

double Slurmctld::next_wake() const {
  double next = std::min(next_main(), next_backfill());
  if (recomputes()) next = std::min(next, next_priorities_);
  if (state_.site.parameters.gang) next = std::min(next, next_slice_);
  return next;
}

Decisions Slurmctld::wake(double now) {
  set_time(now);
  Decisions decisions;
  if (recomputes() && now >= next_priorities_) {
    recompute_priorities(state_);
    next_priorities_ += state_.site.parameters.priority.calc_period;
  }
  next_backfill_ = tick_at(next_backfill_, now);
  if (state_.site.parameters.backfill && now >= next_backfill_) backfill_tick(decisions);
  next_main_ = tick_at(next_main_, now);
  if (now >= next_main_) {
    main_tick(decisions);
    next_main_ += 1;
  }
  settle(decisions);
  if (state_.site.parameters.gang && now >= next_slice_) {
    gang_.slice(state_, decisions);
    next_slice_ += state_.site.parameters.time_slice;
  }
  return decisions;
}

void Slurmctld::main_tick(Decisions& decisions) {
  const SchedulerSettings& settings = state_.site.parameters.scheduler;
  if (state_.now - last_limits_ >= kPeriodicTimeout) {
    last_limits_ = state_.now;
    check_limits(decisions);
  }
  if (settings.sched_interval < 0) return;
  const bool full = state_.now - last_full_ >= settings.sched_interval;
  const bool queued = pass_queued_ && state_.now - last_pass_ >= settings.batch_sched_delay;
  if (!full && !queued) return;
  if (full) last_full_ = state_.now;
  pass_queued_ = false;
  last_pass_ = state_.now;
  main_pass(state_, full ? PassDepth::FullQueue : PassDepth::Default, decisions);
}

// Nothing to do: it looks again a second later.
void Slurmctld::backfill_tick(Decisions& decisions) {
  const int interval = state_.site.parameters.scheduler.bf_interval;
  if (state_.now - last_backfill_ < interval || state_.last_change < last_backfill_) {
    next_backfill_ += 1;
    return;
  }
  backfill_cycle(state_, decisions);
  last_backfill_ = state_.now;
  next_backfill_ += interval;
}

// As Slurm: the job's lead and the time until limits are looked at again.
bool Slurmctld::signal_due(const JobRecord& record) const {
  const std::optional<WarningSignal>& signal = record.job->signal;
  return signal && !record.signalled && record.state == JobState::Running && signal->seconds > 0 &&
         state_.now + signal->seconds + kPeriodicTimeout >= record.end;
}

void Slurmctld::check_limits(Decisions& decisions) {
  const std::vector<int> running = state_.running;
  for (const int index : running) {
    JobRecord& record = state_.job(index);
    if (signal_due(record)) {
      record.signalled = true;
      decisions.push_back({DecisionKind::Signal, index});
    }
    const int over = state_.partition(record.partition)
                         .over_time_limit.value_or(state_.site.parameters.over_time_limit);
    if (record.preempt_time > 0 && record.end <= state_.now) {
      preempt(state_, record, -1, decisions);
    } else if (over != kNoLimit && record.end + 60 * static_cast<Time>(over) <= state_.now) {
      decisions.push_back({DecisionKind::Kill, index});
      finish_job(state_, record, "TIMEOUT");
    }
  }
}

}  // namespace trainyard::slurm
