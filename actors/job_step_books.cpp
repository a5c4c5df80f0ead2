// The books of an attempt: what its steps and checkpoints cost, one by one or many at once in a
// jump.
//
// INVARIANT: a step is booked once, as not saved; a checkpoint moves all that is booked to saved.
#include "actors/job_step.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {

void add(StepCosts& sums, const StepCosts& more) {
  sums.slow_gpu += more.slow_gpu;
  sums.slow_link += more.slow_link;
  sums.failed_link += more.failed_link;
  sums.variation += more.variation;
  sums.contention += more.contention;
}

Fluid::Instant earlier(Fluid::Instant instant, Seconds by) {
  instant.offset -= in_seconds(by);
  return instant;
}

}  // namespace

void JobStep::step_ended() {
  const Fluid::Instant now = simulation_.fluid().now();
  const Seconds duration = now - step_began_;
  step_began_ = now;
  const Network::Stall stall = simulation_.network().take_stalled(domain());
  const Seconds stalled =
      std::min(stall.time, std::max(duration - spec_.costs.isolated, Seconds(0)));
  IterationRecorder::StepFact fact =
      fact_of(steps_done() - 1, simulation_.now() - duration, duration);
  fact.stalled = stalled;
  fact.stalled_by = stall.link;
  fact.blame = simulation_.fluid().take_blame(domain());
  fact.varied = varied(duration - stalled, fact.blame);
  book(1, duration - stalled - fact.varied, unsaved_costs_);
  unsaved_costs_.failed_link += stalled;
  unsaved_costs_.variation += fact.varied;
  for (const auto& [key, lost] : fact.blame) recent_blame_[key] += lost;
  recorder_.add(fact);
  compression_.step_ended(*this, duration);
}

void JobStep::book(double steps, Seconds mean_step, StepCosts& sums) const {
  sums.slow_gpu += steps * spec_.costs.slow_gpu;
  sums.slow_link += steps * spec_.costs.slow_link;
  sums.failed_link += steps * spec_.costs.failed_link;
  sums.variation += steps * spec_.costs.variation;
  sums.contention += steps * std::max(mean_step - spec_.costs.isolated, Seconds(0));
}

// Where ranks vary and no rival held the flows back, a step that is not the mean one is so by
// itself.
Seconds JobStep::varied(Seconds step, const Blame& blame) const {
  return durations_ && blame.empty() ? step - spec_.costs.isolated : Seconds(0);
}

IterationRecorder::StepFact JobStep::fact_of(std::int64_t first_step, Seconds start,
                                             Seconds duration) const {
  IterationRecorder::StepFact fact;
  fact.job = spec_.job->id;
  fact.attempt = attempt_;
  fact.first_step = first_step;
  fact.start = start;
  fact.duration = duration;
  fact.costs = &spec_.costs;
  return fact;
}

Seconds JobStep::write_of(std::int64_t step) const {
  return step == stop_after_ ? stop_write_ : spec_.checkpoint.write;
}

void JobStep::saved(std::int64_t step) {
  const Fluid::Instant now = simulation_.fluid().now();
  progress_.steps_saved = last_saved_step_ = std::max(step, last_saved_step_);
  const Seconds write = write_of(step);
  checkpoint_ += write;
  add(saved_costs_, unsaved_costs_);
  unsaved_costs_ = StepCosts{};
  if (write > Seconds(0))
    recorder_.span(spec_.job->id, attempt_, "checkpoint", simulation_.now() - write,
                   simulation_.now());
  step_began_ = last_save_ = now;
}

// ---- Time compression ----

// Pauses and spells have their dates: such a job, and who shares links with it, is played step by
// step.
Seconds JobStep::jump_budget(Seconds mean_step) const {
  if (spec_.variation.has_dates()) return Seconds(0);
  const std::int64_t left = progress_.steps_total - furthest_step() - 1;
  if (stop_after_ >= 0 || left < 2) return Seconds(0);
  return time_for(left, mean_step, steps_since_checkpoint(), spec_.checkpoint);
}

std::int64_t JobStep::steps_since_checkpoint() const {
  return steps_done() - (checkpoints_.empty() ? last_saved_step_ : checkpoints_.rbegin()->first);
}

void JobStep::jump(Seconds elapsed, Seconds mean_step) {
  player_->stood_still(elapsed);
  const std::int64_t before = steps_done();
  const std::int64_t most = std::max<std::int64_t>(0, progress_.steps_total - furthest_step() - 1);
  const Stretch stretch =
      train_for(elapsed + carried_, mean_step, steps_since_checkpoint(), most, spec_.checkpoint);
  carried_ = stretch.left;
  step_began_ = earlier(step_began_, Seconds(0) - elapsed);
  if (stretch.steps == 0) return;
  pass_over(stretch.steps);
  const Seconds of_itself = varied(mean_step, recent_blame_);
  book_jump(stretch, mean_step - of_itself);
  unsaved_costs_.variation += static_cast<double>(stretch.steps) * of_itself;
  IterationRecorder::StepFact fact = fact_of(before, simulation_.now() - elapsed, mean_step);
  fact.steps = stretch.steps;
  fact.varied = of_itself;
  fact.blame = std::move(recent_blame_);
  fact.jumped = true;
  recorder_.add(fact);
  recent_blame_.clear();
}

// All ranks are so many steps further, and so are the checkpoints that are being written.
void JobStep::pass_over(std::int64_t steps) {
  jumped_ += steps;
  last_decided_ += steps;
  std::map<std::int64_t, int> moved;
  for (const auto& [step, written] : checkpoints_) moved[step + steps] = written;
  checkpoints_ = std::move(moved);
  player_->credit_steps(static_cast<double>(steps));
  compression_.count_jumped(steps);
}

void JobStep::book_jump(const Stretch& stretch, Seconds mean_step) {
  if (stretch.checkpoints == 0) {
    book(static_cast<double>(stretch.steps), mean_step, unsaved_costs_);
    return;
  }
  checkpoint_ += static_cast<double>(stretch.checkpoints) * spec_.checkpoint.write;
  progress_.steps_saved = last_saved_step_ = steps_done() - stretch.steps_since;
  book(static_cast<double>(stretch.steps - stretch.steps_since), mean_step, unsaved_costs_);
  add(saved_costs_, unsaved_costs_);
  unsaved_costs_ = StepCosts{};
  book(static_cast<double>(stretch.steps_since), mean_step, unsaved_costs_);
  last_save_ = earlier(step_began_,  // of the step in progress, moved by the jump
                       stretch.left + static_cast<double>(stretch.steps_since) * mean_step);
}

// ---- Routes that change ----

void JobStep::routes_changing() { compression_.leave(*this); }

void JobStep::routes_changed() {
  reroute_(spec_, progress_);
  recorder_.close(spec_.job->id);
  if (in_compression()) compression_.enter(*this);
}

// ---- Closing ----

AttemptRecord JobStep::record(JobState state, const std::string& cause) const {
  AttemptRecord record;
  record.job = spec_.job->id;
  record.attempt = attempt_;
  record.start = started_;
  record.end = std::min(ended_, simulation_.now());  // the scheduler hears of an end a little later
  record.end_state = state;
  record.cause = cause;
  record.allocation = spec_.allocation;
  record.first_step = first_step_;
  record.steps_done = std::min(steps_done(), progress_.steps_total);
  record.steps_saved = progress_.steps_saved;
  record.suspended = suspended_until(record.end);
  const bool restarting = restarted_ < static_cast<int>(classes_.size());
  record.restart = restarting ? record.end - started_ - record.suspended : restart_;
  record.checkpoint = checkpoint_;
  const Seconds since_save =  // of which it did not stand still
      record.end - started_ - (last_save_ - began_) - (record.suspended - suspended_);
  if (!restarting && state != JobState::Completed) record.lost = std::max(Seconds(0), since_save);
  record.work = (record.end - record.start) - record.restart - record.checkpoint - record.lost -
                record.suspended;
  StepCosts costs = saved_costs_;
  if (state == JobState::Completed) add(costs, unsaved_costs_);
  record.slow_gpu = costs.slow_gpu;
  record.slow_link = costs.slow_link;
  record.failed_link = costs.failed_link;
  record.variation = costs.variation;
  record.contention = costs.contention;
  return record;
}

}  // namespace trainyard
