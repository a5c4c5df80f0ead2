// The scheduler's loop: it waits, reconsiders, and carries the policy's decisions out.
#include "schedulers/controller.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// Queue order: higher priority first, then who came first.
bool ahead(const Job* a, const Job* b) {
  if (a->priority != b->priority) return a->priority > b->priority;
  if (a->submit != b->submit) return a->submit < b->submit;
  return a->id < b->id;
}

}  // namespace

Controller::Controller(const Platform& platform, ControllerParts parts, ControllerOptions options,
                       bool checkpoint_on_preemption, Watch watch)
    : platform_(platform),
      parts_(parts),
      options_(options),
      checkpoint_on_preemption_(checkpoint_on_preemption),
      watch_(std::move(watch)),
      cluster_(platform),
      progress_(parts.log.jobs.size()) {
  view_.platform = &platform;
  view_.free = &cluster_.free();
  view_.free_per_node = &cluster_.free_per_node();
  view_.node_up = &cluster_.up();
  view_.preemption_is_immediate = !checkpoint_on_preemption;
}

void Controller::operator()() {
  while (!over()) {
    const Seconds patience = std::max(Seconds(1e-9), next_deadline() - parts_.simulation.now());
    const std::optional<SchedulerMessage> first = parts_.inbox.receive_within(patience);
    graveyard_.clear();
    if (first) {
      if (options_.latency > Seconds(0))
        simgrid::s4u::this_actor::sleep_for(in_seconds(options_.latency));
      handle(*first);
      while (const std::optional<SchedulerMessage> more = parts_.inbox.receive_now()) handle(*more);
    }
    enforce_limits();
    do {
      freed_at_once_ = false;
      reconsider();
    } while (freed_at_once_);
    watch_(parts_.simulation.now(), done_);
  }
  close_books();
}

Seconds Controller::Active::deadline() const {
  return suspended ? forever() : std::min(limit, grace_ends);
}

bool Controller::over() const {
  return gave_up_ || (submissions_ended_ && view_.pending.empty() && active_.empty());
}

Seconds Controller::next_deadline() const {
  Seconds next = wake_;
  for (const auto& [id, active] : active_) next = std::min(next, active.deadline());
  return next;
}

void Controller::enqueue(JobId id) {
  const Job* entry = &job(id);
  std::vector<const Job*>& queue = view_.pending;
  queue.insert(std::upper_bound(queue.begin(), queue.end(), entry, ahead), entry);
}

// ---- Decisions ----

void Controller::refresh_view() {
  view_.now = parts_.simulation.now();
  view_.free_gpus = cluster_.free_gpus();
  view_.running.clear();
  view_.suspended.clear();
  for (const auto& [id, active] : active_) {
    RunningJob running;
    running.job = &job(id);
    running.allocation = &active.step->allocation();
    running.started = active.started;
    running.releasing = active.releasing;
    running.since = active.since;
    (active.suspended ? view_.suspended : view_.running).push_back(running);
  }
}

bool Controller::someone_waits() const {
  return !view_.pending.empty() ||
         std::any_of(active_.begin(), active_.end(),
                     [](const auto& entry) { return entry.second.suspended; });
}

void Controller::reconsider() {
  refresh_view();
  const bool wanted = wake_ <= view_.now;
  if (gave_up_ || (!wanted && !someone_waits())) return;
  const std::vector<Decision> decisions = parts_.policy.decide(view_, parts_.placement);
  for (const Decision& decision : decisions) {
    std::visit([this](const auto& d) { carry_out(d); }, decision);
    if (gave_up_) return;
  }
  parts_.log.decisions += static_cast<std::int64_t>(decisions.size());
  refresh_view();
  wake_ = parts_.policy.wake(view_);
  check_progress_is_possible(!decisions.empty());
}

void Controller::carry_out(const Start& start) {
  std::vector<const Job*>& queue = view_.pending;
  queue.erase(std::find(queue.begin(), queue.end(), &job(start.job)));
  cluster_.allocate(start.job, start.allocation);
  JobProgress& progress = progress_[start.job.index()];
  AttemptSpec spec;
  try {
    spec = parts_.factory.make(job(start.job), start.allocation, progress);
  } catch (const SimulationError& stuck) {  // its ranks would wait for each other for ever
    gave_up_ = true;
    return parts_.simulation.fail(job(start.job).name + ": " + stuck.what());
  }
  Active active;
  active.started = active.since = parts_.simulation.now();
  active.limit = active.started + job(start.job).kill_after;
  JobStepParts parts = {parts_.simulation, parts_.compression, parts_.recorder, parts_.inbox};
  parts.wiring = parts_.wiring;
  parts.reroute = [this](AttemptSpec& attempt, const JobProgress& done) {
    parts_.factory.reroute(attempt, done);
  };
  active.step = std::make_unique<JobStep>(std::move(spec), progress, parts);
  active.step->start();
  active_[start.job] = std::move(active);
}

void Controller::carry_out(const Preempt& preempt) {
  Active& active = active_.at(preempt.job);
  if (active.releasing) return;
  const std::string cause = "preempted for " + job(preempt.for_job).name;
  if (!checkpoint_on_preemption_ || !active.step->checkpoint_and_stop()) {
    freed_at_once_ = checkpoint_on_preemption_;
    end_attempt(preempt.job, JobState::Preempted, cause);
    return;
  }
  active.releasing = true;
  active.cause = cause;
  active.grace_ends = parts_.simulation.now() + options_.grace;
}

void Controller::carry_out(const Suspend& suspend) {
  if (!parts_.simulation.network().can_freeze()) {
    gave_up_ = true;
    return parts_.simulation.fail("under network model 'simgrid' no job can be suspended");
  }
  Active& active = active_.at(suspend.job);
  cluster_.release(suspend.job);
  active.step->suspend();
  active.suspended = true;
  active.since = parts_.simulation.now();
}

void Controller::carry_out(const Resume& resume) {
  Active& active = active_.at(resume.job);
  cluster_.allocate(resume.job, active.step->allocation());
  active.step->resume();
  note_suspension(resume.job, active);
  active.suspended = false;
  active.limit += parts_.simulation.now() - active.since;
  active.since = parts_.simulation.now();
}

void Controller::note_suspension(JobId id, const Active& active) {
  parts_.log.suspensions.push_back(
      {id, active.step->attempt(), active.since, parts_.simulation.now()});
}

// Nothing runs, nothing comes, every node is up, and still nobody starts: say so instead of waiting
// for ever.
void Controller::check_progress_is_possible(bool decided) {
  if (decided || !active_.empty() || !submissions_ended_) return;
  if (!down_since_.empty() || !drained_.empty()) return;
  parts_.simulation.fail("the scheduler starts nothing and nothing runs: " + describe());
}

std::string Controller::describe() const {
  std::string text = std::to_string(active_.size()) + " jobs running";
  for (const auto& [id, active] : active_) text += " " + job(id).name;
  text += ", " + std::to_string(view_.pending.size()) + " pending";
  if (!view_.pending.empty())
    text += " (first: " + view_.pending.front()->name + ", " +
            std::to_string(view_.pending.front()->gpus) + " GPUs; " +
            std::to_string(cluster_.free_gpus()) + " free)";
  return text;
}

void Controller::close_books() {
  for (const auto& [node, since] : down_since_)
    parts_.log.outages.push_back({node, since, parts_.simulation.now()});
  parts_.log.end = parts_.simulation.now();
}

}  // namespace trainyard
