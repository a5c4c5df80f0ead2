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
                                 const Occupancy& occupancy, EventLog& log,
                                 const PreemptionRule& preemption)
    : policy_(policy),
      placement_(placement),
      occupancy_(occupancy),
      log_(log),
      preemption_(preemption) {
  const Cluster& cluster = occupancy.cluster;
  view_.platform = &cluster.platform();
  view_.free = &cluster.free();
  view_.free_per_node = &cluster.free_per_node();
  view_.node_up = &cluster.up();
  view_.preemption_is_immediate = !preemption.writes_checkpoint;
  const std::vector<Job>& jobs = log.jobs;
  some_elastic_ =
      std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return !job.sizes.empty(); });
}

void PolicyScheduler::submitted(const Job& job, Seconds now) {
  view_.now = now;
  note(job.id, "submitted");
  enqueue(job);
}

void PolicyScheduler::ended(const Job& job, JobState how, Seconds now) {
  view_.now = now;
  note(job.id, "ended").reason = to_string(how);
  if (how != JobState::Resizing) view_.resizing.erase(job.id);
  if (how != JobState::Completed && how != JobState::Timeout) enqueue(job);
}

void PolicyScheduler::enqueue(const Job& job) {
  std::vector<const Job*>& queue = view_.pending;
  queue.insert(std::upper_bound(queue.begin(), queue.end(), &job, ahead), &job);
  came_.push_back(job.id);
}

void PolicyScheduler::refresh_view() {
  view_.free_gpus = occupancy_.cluster.free_gpus();
  view_.running.clear();
  view_.suspended.clear();
  for (const auto& [id, run] : occupancy_.runs) {
    RunningJob running;
    running.job = &job(id);
    running.allocation = &run.step->allocation();
    running.started = run.started;
    running.releasing = run.releasing;
    running.since = run.since;
    (run.suspended ? view_.suspended : view_.running).push_back(running);
  }
}

bool PolicyScheduler::has_nothing_to_ask() const {
  if (!view_.pending.empty() || !view_.suspended.empty() || wake_ <= view_.now) return false;
  return view_.running.empty() || !some_elastic_ || !policy_.resizes();
}

std::vector<Order> PolicyScheduler::decide(Seconds now) {
  view_.now = now;
  refresh_view();
  decided_ = true;
  if (has_nothing_to_ask()) return {};
  std::vector<Order> orders;
  for (Decision& decision : policy_.decide(view_, placement_))
    orders.push_back(std::visit([this](auto& d) { return order(std::move(d)); }, decision));
  decided_ = !orders.empty();
  note_waiting();
  return orders;
}

Order PolicyScheduler::order(Start start) {
  std::vector<const Job*>& queue = view_.pending;
  queue.erase(std::find(queue.begin(), queue.end(), &job(start.job)));
  view_.resizing.erase(start.job);
  note(start.job, "starts").allocation = start.allocation;
  return start;
}

Order PolicyScheduler::order(const Suspend& suspend) {
  note(suspend.job, "suspended");
  return suspend;
}

Order PolicyScheduler::order(const Resume& resume) {
  note(resume.job, "resumed");
  return resume;
}

Order PolicyScheduler::order(const Resize& resize) {
  const std::size_t now = occupancy_.runs.at(resize.job).step->allocation().gpus.size();
  note(resize.job, "resized").reason =
      "from " + std::to_string(now) + " to " + std::to_string(resize.gpus) + " GPUs";
  view_.resizing[resize.job] = resize.gpus;
  return resize;
}

// ---- What `explain` tells ----

DecisionRecord& PolicyScheduler::note(JobId job, const char* what) {
  DecisionRecord row;
  row.at = view_.now;
  row.job = job;
  row.what = what;
  log_.history.push_back(std::move(row));
  return log_.history.back();
}

// In Slurm's words: the first of the queue waits for resources, who is behind it for its priority.
void PolicyScheduler::note_waiting() {
  const std::vector<const Job*>& queue = view_.pending;
  const JobId head = queue.empty() ? JobId() : queue.front()->id;
  if (head.valid() && head != head_) note(head, "waits").reason = "Resources";
  head_ = head;
  for (const JobId id : came_) {
    if (id == head || occupancy_.runs.count(id) > 0) continue;
    const auto place = std::lower_bound(queue.begin(), queue.end(), &job(id), ahead);
    if (place == queue.end() || (*place)->id != id) continue;  // it starts
    DecisionRecord& row = note(id, "waits");
    row.reason = "Priority";
    row.ahead = std::to_string(place - queue.begin()) + ": " + queue.front()->name + " ...";
  }
  came_.clear();
}

Order PolicyScheduler::order(const Preempt& preempt) {
  note(preempt.job, "stopped").by = job(preempt.for_job).name;
  Stop stop;
  stop.job = preempt.job;
  stop.for_job = preempt.for_job;
  stop.cause = "preempted for " + job(preempt.for_job).name;
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
