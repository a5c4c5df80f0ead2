// The life of an attempt: its ranks start, restart, step, save and leave, or are killed. What that
// cost is in job_step_books.cpp.
#include "actors/job_step.hpp"

#include "actors/trainer.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

JobStep::JobStep(AttemptSpec spec, JobProgress& progress, const JobStepParts& parts)
    : spec_(std::move(spec)),
      progress_(progress),
      simulation_(parts.simulation),
      compression_(parts.compression),
      recorder_(parts.recorder),
      scheduler_(parts.scheduler),
      wiring_(parts.wiring),
      reroute_(parts.reroute),
      attempt_(progress.attempts++),
      first_step_(progress.steps_saved),
      classes_(spec_.model.classes.size()),
      last_saved_step_(progress.steps_saved),
      last_decided_(progress.steps_saved),
      started_(simulation_.now()),
      began_(simulation_.fluid().now()) {
  simulation_.fluid().take_blame(domain());  // of an attempt before this one
  StepListener& self = *this;
  player_ = std::make_unique<ProgramPlayer>(spec_.model, simulation_.fluid(), simulation_.network(),
                                            domain(), self);
  if (!spec_.variation.any()) return;
  durations_ = std::make_unique<VariedDurations>(
      spec_.variation, VariedDurations::Attempt{spec_.job->name, attempt_, spec_.allocation},
      spec_.model, [this] { return simulation_.now(); });
  player_->vary(*durations_);
}

JobStep::~JobStep() = default;

bool JobStep::in_compression() const {
  return restarted_ == static_cast<int>(classes_.size()) && !suspended_since_ &&
         simulation_.network().can_freeze();
}

void JobStep::start() {
  simulation_.network().take_stalled(domain());  // of an attempt before this one
  if (wiring_) wiring_->attach(*this);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    classes_[c].waiter = std::make_unique<Waiter>();
    const GpuId gpu = spec_.allocation.gpus[at(spec_.model.classes[c].ranks.front())];
    const std::string name = spec_.job->name + "/" + std::to_string(c);
    classes_[c].actor = simgrid::s4u::Actor::create(name, simulation_.host(gpu),
                                                    Trainer(*this, static_cast<int>(c)));
  }
}

// ---- what a Trainer does ----

// A rank may be killed while it waits: the delay goes with its stack.
void JobStep::wait(int rank_class, Seconds duration) {
  struct Withdrawal {
    Fluid& fluid;
    Fluid::Handle delay;
    ~Withdrawal() { fluid.withdraw(delay); }
  };
  Waiter& waiter = *classes_[at(rank_class)].waiter;
  Fluid& fluid = simulation_.fluid();
  const Withdrawal on_exit{fluid, fluid.start_delay(domain(), duration, &waiter, 0)};
  waiter.wait();
}

void JobStep::pay_restart(int rank_class) {
  if (spec_.restart > Seconds(0)) wait(rank_class, spec_.restart);
  if (++restarted_ < static_cast<int>(classes_.size())) return;
  restart_ = spec_.restart;
  step_began_ = last_save_ = simulation_.fluid().now();
  if (restart_ > Seconds(0))
    recorder_.span(spec_.job->id, attempt_, "restart", started_, simulation_.now());
  if (in_compression()) compression_.enter(*this);
}

std::int64_t JobStep::step_of(int rank_class) const {
  return first_step_ + jumped_ + classes_[at(rank_class)].steps;
}

std::int64_t JobStep::steps_done() const {
  std::int64_t steps = classes_.front().steps;
  for (const ClassState& state : classes_) steps = std::min(steps, state.steps);
  return first_step_ + jumped_ + steps;
}

std::int64_t JobStep::furthest_step() const {
  std::int64_t steps = 0;
  for (const ClassState& state : classes_) steps = std::max(steps, state.steps);
  return first_step_ + jumped_ + steps + 1;
}

bool JobStep::has_steps_left(int rank_class) const {
  const std::int64_t step = step_of(rank_class);
  return step < progress_.steps_total && (stop_after_ < 0 || step < stop_after_);
}

void JobStep::play_step(int rank_class) {
  player_->start_step(rank_class);
  classes_[at(rank_class)].waiter->wait();
}

// In a completion, not in the actor: the books are closed at the very moment the step ends.
void JobStep::class_ended_step(int rank_class) {
  const std::int64_t before = steps_done();
  ++classes_[at(rank_class)].steps;
  if (step_of(rank_class) > last_decided_) decide_checkpoint(step_of(rank_class));
  if (steps_done() > before) step_ended();
  classes_[at(rank_class)].waiter->signal();
}

void JobStep::save_if_due(int rank_class) {
  if (checkpoints_.count(step_of(rank_class)) == 0) return;
  const Seconds write = write_of(step_of(rank_class));
  if (write > Seconds(0)) wait(rank_class, write);
  const auto written = checkpoints_.begin();  // the step's number may have been moved by a jump
  if (++written->second < static_cast<int>(classes_.size())) return;
  const std::int64_t saved_step = written->first;
  checkpoints_.erase(written);
  saved(saved_step);
}

// The first class to end a step decides for all, so that all write after the same one.
void JobStep::decide_checkpoint(std::int64_t step) {
  last_decided_ = step;
  if (step >= progress_.steps_total) return;
  const Seconds since = simulation_.fluid().now() - last_save_;
  if (step == stop_after_ || spec_.checkpoint.due(step - last_saved_step_, since))
    checkpoints_[step] = 0;
}

void JobStep::leave(int rank_class) {
  classes_[at(rank_class)].left = true;
  for (const ClassState& state : classes_)
    if (!state.left) return;
  const bool complete = steps_done() >= progress_.steps_total;
  if (complete) progress_.steps_saved = progress_.steps_total;
  ended_ = simulation_.now();
  detach();
  scheduler_.post(
      AttemptEnded{spec_.job->id, attempt_, complete ? JobState::Completed : JobState::Preempted});
}

void JobStep::detach() {
  if (detached_) return;
  detached_ = true;
  if (wiring_) wiring_->detach(*this);
  compression_.leave(*this);
  recorder_.close(spec_.job->id);
  player_->stop();
  if (suspended_since_) simulation_.fluid().thaw(domain());  // it may be the next attempt's
}

// ---- from the scheduler ----

void JobStep::kill() {
  detach();
  for (ClassState& state : classes_)
    if (state.actor && !state.left) state.actor->kill();
}

bool JobStep::checkpoint_and_stop() {
  if (restarted_ < static_cast<int>(classes_.size()) || suspended_since_) return false;
  compression_.touch(*this);
  leave_after(furthest_step(), spec_.checkpoint.write);
  return true;
}

// One that is still restarting leaves before its first step.
bool JobStep::leave_to_resize() {
  if (suspended_since_) return false;
  const bool restarting = restarted_ < static_cast<int>(classes_.size());
  if (!restarting) compression_.touch(*this);
  leave_after(restarting ? first_step_ : furthest_step(), spec_.resize_write);
  return true;
}

void JobStep::leave_after(std::int64_t step, Seconds write) {
  stop_after_ = std::min(step, progress_.steps_total);
  stop_write_ = write;
}

}  // namespace trainyard
