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

}  // namespace trainyard::slurm
