// What the scheduler's orders do: attempts start, stop, are suspended and resumed. Whatever ends an
// attempt goes through end_attempt().
#include "base/error.hpp"
#include "schedulers/controller.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr int kMostFruitless = 10000;  // attempts in a row

}  // namespace

void Controller::carry_out(const Start& start) {
  cluster_.allocate(start.job, start.allocation);
  JobProgress& progress = progress_[start.job.index()];
  AttemptSpec spec;
  try {
    spec = parts_.factory.make(job(start.job), start.allocation, progress);
  } catch (const SimulationError& stuck) {  // its ranks would wait for each other for ever
    return give_up(job(start.job).name + ": " + stuck.what());
  }
  Run run;
  run.started = run.since = now();
  run.limit = run.started + parts_.scheduler.limit(job(start.job));
  if (const auto left = limit_left_.find(start.job); left != limit_left_.end()) {
    run.limit = run.started + left->second;
    limit_left_.erase(left);
  }
  progress.resizing = false;
  JobStepParts parts = {parts_.simulation, parts_.compression, parts_.recorder, parts_.inbox};
  parts.wiring = parts_.wiring;
  parts.reroute = [this](AttemptSpec& attempt, const JobProgress& done) {
    parts_.factory.reroute(attempt, done);
  };
  run.step = std::make_unique<JobStep>(std::move(spec), progress, parts);
  run.step->start();
  runs_[start.job] = std::move(run);
}

// False if there is nothing to wait for.
bool Controller::ask_to_leave(Run& run, const std::string& cause) const {
  if (run.releasing) return true;
  if (!checkpoint_on_signal_ || !run.step->checkpoint_and_stop()) return false;
  run.releasing = true;
  run.cause = cause;
  return true;
}

void Controller::carry_out(const Warn& warn) {
  Run* run = run_of(warn.job);
  if (!run) return;
  run->stopped_for = warn.for_job;
  ask_to_leave(*run, warn.cause);
}

void Controller::carry_out(const Stop& stop) {
  Run* run = run_of(stop.job);
  if (!run) return;
  run->stopped_for = stop.for_job;
  if (stop.patience > Seconds(0) && ask_to_leave(*run, stop.cause)) {
    run->stopped_as = stop.as;
    run->grace_ends = std::min(run->grace_ends, now() + stop.patience);
    return;
  }
  freed_at_once_ = stop.patience > Seconds(0);
  end_attempt(stop.job, stop.as, stop.cause);
}

// Recorded as an attempt that held nothing and took no time.
void Controller::carry_out(const Cancel& cancel) {
  AttemptRecord record;
  record.job = cancel.job;
  record.attempt = progress_[cancel.job.index()].attempts;
  record.start = record.end = now();
  record.end_state = JobState::Cancelled;
  record.cause = cancel.cause;
  parts_.log.attempts.push_back(std::move(record));
}

void Controller::carry_out(const Suspend& suspend) {
  Run* run = run_of(suspend.job);
  if (!run) return;
  if (!parts_.simulation.network().can_freeze())
    return give_up("under network model 'simgrid' no job can be suspended");
  cluster_.release(suspend.job);
  run->step->suspend();
  run->suspended = true;
  run->since = now();
}

void Controller::carry_out(const Resume& resume) {
  Run* run = run_of(resume.job);
  if (!run) return;
  cluster_.allocate(resume.job, run->step->allocation());
  run->step->resume();
  note_suspension(resume.job, *run);
  run->suspended = false;
  run->limit += now() - run->since;
  run->since = now();
}

void Controller::carry_out(const Resize& resize) {
  Run* run = run_of(resize.job);
  if (!run || run->releasing || !run->step->leave_to_resize()) return;
  run->releasing = true;
  run->stopped_as = JobState::Resizing;
  run->cause = "resized from " + std::to_string(run->step->allocation().gpus.size()) + " to " +
               std::to_string(resize.gpus) + " GPUs";
}

void Controller::note_suspension(JobId id, const Run& run) {
  parts_.log.suspensions.push_back({id, run.step->attempt(), run.since, now()});
}

// Kills what still runs, closes the attempt's books, frees the GPUs, and tells the scheduler.
void Controller::end_attempt(JobId id, JobState state, const std::string& cause) {
  Run& run = runs_.at(id);
  run.step->kill();
  const bool too_late = run.step->completed();  // the news of its end is still on the way
  if (too_late) state = JobState::Completed;
  AttemptRecord record = run.step->record(state, too_late ? "" : cause);
  if (state == JobState::Preempted) record.preempted_for = run.stopped_for;
  parts_.log.attempts.push_back(record);
  if (run.suspended)
    note_suspension(id, run);
  else
    cluster_.release(id);
  if (state == JobState::Resizing) {
    progress_[id.index()].resizing = true;
    limit_left_[id] = run.limit - now();
  }
  graveyard_.push_back(std::move(run.step));
  runs_.erase(id);
  note_outages();
  parts_.factory.ended(id);
  note_fruitless(record);
  parts_.scheduler.ended(job(id), state, now());
}

// A job that keeps losing all it does would go on for ever, and the run with it.
void Controller::note_fruitless(const AttemptRecord& last) {
  if (last.end_state == JobState::Completed || last.end_state == JobState::Timeout) return;
  if (last.end_state == JobState::Resizing) return;
  int& fruitless = fruitless_[last.job];
  fruitless = last.steps_saved > last.first_step ? 0 : fruitless + 1;
  if (fruitless < kMostFruitless) return;
  give_up("job " + job(last.job).name + " has lost all the work of " + std::to_string(fruitless) +
          " attempts in a row, the last because: " + last.cause + "; it would never end");
}

}  // namespace trainyard
