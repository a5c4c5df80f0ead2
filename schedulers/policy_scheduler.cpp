#include "schedulers/policy_scheduler.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {

// Queue order: higher priority first, then who came first.
bool ahead(const Job* a, const Job* b) {
  if (a->priority != b->priority) return a->priority > b->priority;
  if (a->submit != b->submit) return a->submit < b->submit;
  return a->id < b->id;
}

}  // namespace

PolicyScheduler::PolicyScheduler(const SchedulingPolicy& policy, const Placement& placement,
                                 const Occupancy& occupancy, const std::vector<Job>& jobs,
                                 const PreemptionRule& preemption)
    : policy_(policy),
      placement_(placement),
      occupancy_(occupancy),
      jobs_(jobs),
      preemption_(preemption) {
  const Cluster& cluster = occupancy.cluster;
  view_.platform = &cluster.platform();
  view_.free = &cluster.free();
  view_.free_per_node = &cluster.free_per_node();
  view_.node_up = &cluster.up();
  view_.preemption_is_immediate = !preemption.writes_checkpoint;
}

void PolicyScheduler::submitted(const Job& job, Seconds /*now*/) { enqueue(job); }

void PolicyScheduler::ended(const Job& job, JobState how, Seconds /*now*/) {
  if (how != JobState::Completed && how != JobState::Timeout) enqueue(job);
}

void PolicyScheduler::enqueue(const Job& job) {
  std::vector<const Job*>& queue = view_.pending;
  queue.insert(std::upper_bound(queue.begin(), queue.end(), &job, ahead), &job);
}

void PolicyScheduler::refresh_view() {
  view_.free_gpus = occupancy_.cluster.free_gpus();
  view_.running.clear();
  view_.suspended.clear();
  for (const auto& [id, run] : occupancy_.runs) {
    RunningJob running;
    running.job = &jobs_[id.index()];
    running.allocation = &run.step->allocation();
    running.started = run.started;
    running.releasing = run.releasing;
    running.since = run.since;
    (run.suspended ? view_.suspended : view_.running).push_back(running);
  }
}

std::vector<Order> PolicyScheduler::decide(Seconds now) {
  view_.now = now;
  refresh_view();
  decided_ = true;
  if (view_.pending.empty() && view_.suspended.empty() && wake_ > now) return {};
  std::vector<Order> orders;
  for (Decision& decision : policy_.decide(view_, placement_))
    orders.push_back(std::visit([this](auto& d) { return order(std::move(d)); }, decision));
  decided_ = !orders.empty();
  return orders;
}

Order PolicyScheduler::order(Start start) {
  std::vector<const Job*>& queue = view_.pending;
  queue.erase(std::find(queue.begin(), queue.end(), &jobs_[start.job.index()]));
  return start;
}

Order PolicyScheduler::order(const Preempt& preempt) const {
  Stop stop;
  stop.job = preempt.job;
  stop.cause = "preempted for " + jobs_[preempt.for_job.index()].name;
  if (preemption_.writes_checkpoint) stop.patience = preemption_.grace;
  return stop;
}

Seconds PolicyScheduler::wake() {
  refresh_view();
  return wake_ = policy_.wake(view_);
}

std::string PolicyScheduler::describe() const {
  std::string text = std::to_string(view_.pending.size()) + " pending";
  if (!view_.pending.empty())
    text += " (first: " + view_.pending.front()->name + ", " +
            std::to_string(view_.pending.front()->gpus) + " GPUs; " +
            std::to_string(occupancy_.cluster.free_gpus()) + " free)";
  return text;
}

}  // namespace trainyard
