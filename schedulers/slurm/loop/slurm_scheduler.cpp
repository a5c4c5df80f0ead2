// The news that reach Slurm, and the time it is told. What it decides is in slurm_orders.cpp.
#include "schedulers/slurm/loop/slurm_scheduler.hpp"

#include "schedulers/slurm/controller/scontrol.hpp"
#include "schedulers/slurm/preempt/preemption.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

constexpr double kSame = 1e-9;           // the simulation's clock is as exact as this
constexpr double kPatience = 24 * 3600;  // without any news, before what waits is given up

Cadence cadence_of(const SlurmSetup& setup) {
  Cadence cadence;
  cadence.begins = setup.site.parameters.accounting ? setup.delays.controller_begins_with_accounts
                                                    : setup.delays.controller_begins;
  cadence.knows_accounts = setup.delays.knows_accounts;
  cadence.epoch = setup.delays.epoch;
  return cadence;
}

}  // namespace

SlurmScheduler::SlurmScheduler(const SlurmSetup& setup, const Platform& platform, EventLog& log)
    : setup_(setup),
      platform_(platform),
      log_(log),
      controller_(setup.site, cadence_of(setup)),
      record_of_(setup.jobs.size(), -1) {
  for (std::size_t i = 0; i < setup.commands.size(); ++i)
    add(setup.commands[i].time, What::Command, static_cast<int>(i));
}

void SlurmScheduler::add(double time, What what, int index, int node) {
  heap_.push_back({time, next_order_++, what, index, node});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

// Everything up to `now`, in the order of time; of what is due now, the wakes only if asked for.
void SlurmScheduler::catch_up(double now, bool with_wakes) {
  for (;;) {
    const double wake = controller_.next_wake();
    const bool wakes = heap_.empty() || wake < heap_.front().time;
    const double next = wakes ? wake : heap_.front().time;
    if (next > now + kSame || (wakes && !with_wakes && next > now - kSame)) break;
    now_ = next;
    if (wakes) {
      give_orders(controller_.wake(wake));
      note_waiting();
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Happening happening = heap_.back();
    heap_.pop_back();
    controller_.set_time(now_);
    happen(happening);
  }
  now_ = std::max(now, now_);
  controller_.set_time(now_);
}

void SlurmScheduler::happen(const Happening& happening) {
  last_news_ = now_;
  SlurmState& state = controller_.state();
  switch (happening.what) {
    case What::Command:
      return command(setup_.commands[static_cast<std::size_t>(happening.index)].action);
    case What::JobEnds:
      return job_ends(state.job(happening.index));
    case What::NodeClean:
      return node_clean(state.job(happening.index), happening.node);
    case What::NodeReturns:
      if (state.is_down(happening.node)) state.set_up(happening.node);
      return;
  }
}

void SlurmScheduler::command(const std::string& action) {
  if (action.rfind("snap", 0) == 0) return;  // somebody looked
  const CommandResult result = run_scontrol(controller_, action, now_);
  if (!result.known) log_.warnings.push_back("operator's command not understood: " + action);
  give_orders(result.decisions);
  if (setup_.site.parameters.return_to_service == 2)
    for (const int node : result.answering)
      add(now_ + setup_.delays.return_to_service, What::NodeReturns, node, node);
}

void SlurmScheduler::submitted(const Job& job, Seconds now) {
  catch_up(in_seconds(now), false);
  last_news_ = now_;
  std::string refusal;
  if (record_of_[job.id.index()] < 0)  // else it is a task of an array that is here already
    know(job, controller_.submit(setup_.jobs[job.id.index()], now_, refusal));
  note_submitted(job.id, refusal);
  if (record_of_[job.id.index()] < 0) orders_.emplace_back(Cancel{job.id, "refused: " + refusal});
}

// Of an array, all tasks at once: they follow each other, and Slurm may start any of them.
void SlurmScheduler::know(const Job& job, const std::vector<int>& records) {
  known_.resize(static_cast<std::size_t>(controller_.state().job_count()));
  JobId next = job.id;
  for (const int record : records) {
    record_of_[next.index()] = record;
    known(record).job = next;
    next = JobId(next.value() + 1);
  }
}

void SlurmScheduler::note_submitted(JobId job, const std::string& refusal) {
  const int record = record_of_[job.index()];
  DecisionRecord row;
  row.at = Seconds(now_);
  row.job = job;
  row.what = record < 0 ? "refused" : "submitted";
  row.reason = refusal;
  log_.history.push_back(row);
  if (record >= 0) note_priority(controller_.state().job(record), log_.history.back());
}

void SlurmScheduler::ended(const Job& job, trainyard::JobState how, Seconds now) {
  catch_up(in_seconds(now), false);
  last_news_ = now_;
  JobRecord& record = controller_.state().job(record_of_[job.id.index()]);
  const std::size_t row = log_.history.size();
  note(record.index, "ended").reason = to_string(how);
  if (record.running()) {
    if (how == trainyard::JobState::Completed)
      return add(now_ + setup_.delays.job_end, What::JobEnds, record.index);
    leaves(record, how);
    if (!record.pending()) log_.history[row].by = "over";
    return;
  }
  if (!record.pending()) log_.history[row].by = "over";
  if (how == trainyard::JobState::Completed && record.pending())
    drop_pending(controller_.state(), record, "COMPLETED");
  clean(record, setup_.delays.batch_host_clean, setup_.delays.node_clean);
}

// By itself, with steps left to do.
void SlurmScheduler::leaves(JobRecord& record, trainyard::JobState how) {
  const bool signalled = record.signalled && record.preempt_time == 0;
  const bool told = how == trainyard::JobState::Preempted && !signalled;
  const bool back = can_requeue(record) &&
                    (!told || preempt_mode_of(controller_.state(), record) == PreemptMode::Requeue);
  Decisions decisions;
  if (back)
    requeue_by_hand(controller_, record.id, false, decisions);
  else
    decisions = controller_.job_finished(record, told ? "PREEMPTED" : "FAILED", now_);
  note_dirty(record);
  give_orders(decisions);
  clean(record, setup_.delays.batch_host_clean, setup_.delays.node_clean);
}

// The engine may have stopped it since: its script was faster.
void SlurmScheduler::job_ends(JobRecord& record) {
  if (record.pending()) drop_pending(controller_.state(), record, "COMPLETED");
  if (record.running()) {
    const std::string end_state = record.job->exit_code == 0 ? "COMPLETED" : "FAILED";
    const Decisions decisions = controller_.job_finished(record, end_state, now_);
    note_dirty(record);
    give_orders(decisions);
  }
  clean(record, setup_.delays.node_clean, setup_.delays.node_clean);
}

void SlurmScheduler::note_dirty(const JobRecord& record) {
  std::vector<int>& dirty = known(record.index).dirty;
  dirty.clear();
  for (const NodeShare& share : record.allocation.shares)
    if (!controller_.state().is_down(share.node)) dirty.push_back(share.node);
}

void SlurmScheduler::clean(const JobRecord& record, double after_first, double after_others) {
  double after = after_first;
  for (const int node : known(record.index).dirty) {
    add(now_ + after, What::NodeClean, record.index, node);
    after = after_others;
  }
  known(record.index).dirty.clear();
}

// A kill's last node reports by a message, which runs a pass at once; where nothing is left to kill
// a pass is only asked for.
void SlurmScheduler::node_clean(JobRecord& record, int node) {
  if (!record.completing || !node_cleaned(controller_.state(), record, node)) return;
  const bool ended_itself = record.end_state == "COMPLETED" || record.end_state == "FAILED";
  if (record.pending() || !ended_itself)
    give_orders(controller_.pass_now(now_));
  else
    controller_.queue_pass();
}

int SlurmScheduler::node_index(NodeId node) const {
  const auto found = std::find(setup_.node_of.begin(), setup_.node_of.end(), node);
  return static_cast<int>(found - setup_.node_of.begin());
}

void SlurmScheduler::closed(NodeId node, Closed why, Seconds now) {
  catch_up(in_seconds(now), false);
  ++closed_nodes_;
  if (why == Closed::Drained)
    return controller_.state().set_drained(node_index(node), /*drained=*/true);
  Decisions decisions;
  node_fails(controller_, node_index(node), decisions);
  give_orders(decisions);
}

void SlurmScheduler::opened(NodeId node, Seconds now) {
  catch_up(in_seconds(now), false);
  last_news_ = now_;
  --closed_nodes_;
  controller_.state().set_up(node_index(node));
  controller_.queue_pass();
}

std::vector<Order> SlurmScheduler::decide(Seconds now) {
  catch_up(in_seconds(now), true);
  if (!orders_.empty()) last_news_ = now_;
  return std::exchange(orders_, {});
}

Seconds SlurmScheduler::wake() {
  const double wake = controller_.next_wake();
  return Seconds(heap_.empty() ? wake : std::min(wake, heap_.front().time));
}

std::size_t SlurmScheduler::waiting() const { return controller_.state().pending.size(); }

bool SlurmScheduler::gives_up() const {
  const SlurmState& state = controller_.state();
  if (closed_nodes_ > 0 || !heap_.empty() || !state.running.empty()) return false;
  double since = last_news_;
  for (const int index : state.pending)
    since = std::max(since, static_cast<double>(state.job(index).begin - controller_.epoch()));
  for (const AdvanceReservation& each : state.reservations)
    since = std::max(since, static_cast<double>(each.end - controller_.epoch()));
  return now_ > since + kPatience;
}

std::string SlurmScheduler::describe() const {
  const SlurmState& state = controller_.state();
  std::string text = std::to_string(state.pending.size()) + " pending";
  for (std::size_t i = 0; i < std::min<std::size_t>(3, state.pending.size()); ++i)
    text += " " + named(state.pending[i]) + " (" + state.job(state.pending[i]).reason + ")";
  return text;
}

}  // namespace trainyard::slurm
