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

bool Controller::over() const {
  return gave_up_ || (submissions_ended_ && view_.pending.empty() && active_.empty());
}

Seconds Controller::next_deadline() const {
  Seconds next = forever();
  for (const auto& [id, active] : active_)
    if (active.deadline < next) next = active.deadline;
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
  for (const auto& [id, active] : active_) {
    RunningJob running;
    running.job = &job(id);
    running.allocation = &active.step->allocation();
    running.started = active.started;
    running.releasing = active.releasing;
    view_.running.push_back(running);
  }
}

void Controller::reconsider() {
  if (gave_up_ || view_.pending.empty()) return;
  refresh_view();
  const std::vector<Decision> decisions = parts_.policy.decide(view_, parts_.placement);
  for (const Decision& decision : decisions) {
    std::visit([this](const auto& d) { carry_out(d); }, decision);
    if (gave_up_) return;
  }
  parts_.log.decisions += static_cast<std::int64_t>(decisions.size());
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
  active.started = parts_.simulation.now();
  active.deadline = active.started + job(start.job).kill_after;
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
  active.deadline = std::min(active.deadline, parts_.simulation.now() + options_.grace,
                             [](Seconds a, Seconds b) { return a < b; });
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
