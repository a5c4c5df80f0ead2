#include "report/metrics.hpp"

#include "report/job_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

double attempts_ended(const EventLog& log, JobState state) {
  return static_cast<double>(
      std::count_if(log.attempts.begin(), log.attempts.end(),
                    [state](const AttemptRecord& a) { return a.end_state == state; }));
}

template <typename Predicate>
double jobs_that(const EventLog& log, const Predicate& predicate) {
  const std::vector<JobTimes> jobs = job_times(log);
  return static_cast<double>(std::count_if(jobs.begin(), jobs.end(), predicate));
}

double requeues(const EventLog& log) {
  double again = 0;
  for (const JobTimes& job : job_times(log)) again += std::max(0, job.attempts - 1);
  return again;
}

double makespan(const EventLog& log) {
  double first_submit = std::numeric_limits<double>::infinity(), last_end = kUndefined;
  for (const JobTimes& job : job_times(log)) {
    first_submit = std::min(first_submit, job.submit);
    if (job.started) last_end = std::fmax(last_end, job.last_end);  // fmax: a number beats NaN
  }
  return last_end - first_submit;
}

double all_gpu_seconds(const Platform& platform, const EventLog& log) {
  return platform.gpu_count() * in_seconds(log.end);
}

double gpu_seconds(const Platform& platform, const EventLog& log, const char* name) {
  return gpu_seconds_of(ledger(platform, log), name);
}

double fraction(const Platform& platform, const EventLog& log, const char* name) {
  return ratio(gpu_seconds(platform, log, name), all_gpu_seconds(platform, log));
}

double allocated(const Platform& platform, const EventLog& log) {
  const std::vector<LedgerClass> classes = ledger(platform, log);
  return all_gpu_seconds(platform, log) - gpu_seconds_of(classes, "down") -
         gpu_seconds_of(classes, "idle");
}

double utilisation(const Platform& platform, const EventLog& log) {
  return ratio(allocated(platform, log),
               all_gpu_seconds(platform, log) - gpu_seconds(platform, log, "down"));
}

double contention_share(const Platform& platform, const EventLog& log) {
  return ratio(gpu_seconds(platform, log, "contention"), allocated(platform, log));
}

// Mean over all its steps, attempts included; of several largest jobs the first.
double largest_jobs_step(const EventLog& log, Seconds IterationRecord::*field) {
  JobId largest;
  for (const Job& job : log.jobs)
    if (job.plan >= 0 && (!largest.valid() || job.gpus > log.jobs[largest.index()].gpus))
      largest = job.id;
  double time = 0, steps = 0;
  for (const IterationRecord& iteration : log.iterations) {
    if (iteration.job != largest) continue;
    time += static_cast<double>(iteration.steps) * in_seconds(iteration.*field);
    steps += static_cast<double>(iteration.steps);
  }
  return ratio(time, steps);
}

using P = const Platform&;
using L = const EventLog&;

// Every metric there is. summary.json holds them in this order; `trainyard list` prints them.
const std::vector<MetricEntry> kMetrics = {
    {"jobs", [](P, L log) { return static_cast<double>(log.jobs.size()); },
     "jobs that were submitted"},
    {"completed", [](P, L log) { return jobs_that(log, [](auto& job) { return job.completed; }); },
     "jobs that completed"},
    {"never_started",
     [](P, L log) { return jobs_that(log, [](auto& job) { return !job.started; }); },
     "jobs that never held a GPU: still pending at the end, or cancelled"},
    {"cut_off", [](P, L log) { return attempts_ended(log, JobState::Running); },
     "attempts that were running when the run ended"},
    {"timeouts", [](P, L log) { return attempts_ended(log, JobState::Timeout); },
     "attempts killed at their time limit"},
    {"preemptions", [](P, L log) { return attempts_ended(log, JobState::Preempted); },
     "attempts ended by the scheduler to make room"},
    {"node_fails", [](P, L log) { return attempts_ended(log, JobState::NodeFail); },
     "attempts ended by a failed part"},
    {"requeues", [](P, L log) { return requeues(log); }, "attempts after a job's first"},
    {"makespan_s", [](P, L log) { return makespan(log); },
     "from the first submission to the last end of an attempt"},
    {"mean_wait_s", [](P, L log) { return mean(waits(log)); },
     "mean over started jobs of first start - submission"},
    {"median_wait_s", [](P, L log) { return percentile(waits(log), 0.5); },
     "median over started jobs of first start - submission"},
    {"p95_wait_s", [](P, L log) { return percentile(waits(log), 0.95); },
     "95th percentile over started jobs of first start - submission"},
    {"max_wait_s", [](P, L log) { return percentile(waits(log), 1); },
     "longest first start - submission"},
    {"mean_turnaround_s", [](P, L log) { return mean(turnarounds(log)); },
     "mean over completed jobs of end - submission"},
    {"mean_bounded_slowdown", [](P, L log) { return mean(bounded_slowdowns(log)); },
     "mean over completed jobs of max(1, turnaround / max(kept work and checkpoints, 10 s))"},
    {"utilisation", utilisation, "allocated GPU-seconds over those of GPUs that were up"},
    {"goodput", [](P p, L log) { return fraction(p, log, "productive"); },
     "productive GPU-seconds over all GPU-seconds of the run"},
    {"contention_share", contention_share,
     "GPU-seconds spent waiting for rivals' traffic over allocated GPU-seconds"},
    {"contention_gpu_s", [](P p, L log) { return gpu_seconds(p, log, "contention"); },
     "GPU-seconds of training steps that other jobs' traffic added"},
    {"lost_gpu_s", [](P p, L log) { return gpu_seconds(p, log, "lost"); },
     "GPU-seconds of work after the last save of attempts that did not complete"},
    {"largest_job_step_s",
     [](P, L log) { return largest_jobs_step(log, &IterationRecord::duration); },
     "mean step of the training job with the most GPUs, without checkpoints"},
    {"largest_job_isolated_step_s",
     [](P, L log) { return largest_jobs_step(log, &IterationRecord::isolated); },
     "the same step on the same GPUs if the job had no neighbours"},
    {"allocated_gpu_s", allocated, "GPU-seconds held by attempts"},
};

}  // namespace

const std::vector<MetricEntry>& metrics() { return kMetrics; }

}  // namespace trainyard
