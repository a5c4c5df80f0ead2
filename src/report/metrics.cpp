#include "report/metrics.hpp"

#include "report/fairness.hpp"
#include "report/vacancy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace trainyard {

namespace {

double attempts_ended(const EventLog& log, JobState state) {
  return static_cast<double>(
      std::count_if(log.attempts.begin(), log.attempts.end(),
                    [state](const AttemptRecord& a) { return a.end_state == state; }));
}

template <typename Predicate>
double jobs_that(const Books& books, const Predicate& predicate) {
  return static_cast<double>(std::count_if(books.jobs.begin(), books.jobs.end(), predicate));
}

double requeues(const Books& books) {
  double again = 0;
  for (const JobTimes& job : books.jobs) again += std::max(0, job.attempts - 1);
  return again - attempts_ended(books.log, JobState::Resizing);
}

double makespan(const Books& books) {
  double first_submit = std::numeric_limits<double>::infinity(), last_end = kUndefined;
  for (const JobTimes& job : books.jobs) {
    first_submit = std::min(first_submit, job.submit);
    if (job.started) last_end = std::fmax(last_end, job.last_end);  // fmax: a number beats NaN
  }
  return last_end - first_submit;
}

double all_gpu_seconds(const Books& books) {
  return books.platform.gpu_count() * in_seconds(books.log.end);
}

double gpu_seconds(const Books& books, const char* name) {
  return gpu_seconds_of(books.classes, name);
}

double goodput(const Books& books) {
  return ratio(gpu_seconds(books, "productive"), all_gpu_seconds(books));
}

double allocated(const Books& books) {
  return all_gpu_seconds(books) - gpu_seconds(books, "down") - gpu_seconds(books, "idle");
}

double utilisation(const Books& books) {
  return ratio(allocated(books), all_gpu_seconds(books) - gpu_seconds(books, "down"));
}

std::vector<double> contention_delays(const EventLog& log) {
  std::map<JobId, double> delays;
  for (const AttemptRecord& attempt : log.attempts)
    if (!attempt.allocation.gpus.empty()) delays[attempt.job] += in_seconds(attempt.contention);
  std::vector<double> values;
  values.reserve(delays.size());
  for (const auto& [job, delay] : delays) values.push_back(delay);
  return values;
}

double contention_share(const Books& books) {
  return ratio(gpu_seconds(books, "contention"), allocated(books));
}

// Mean over all its steps, attempts included; of several largest jobs the first.
template <typename Field>
double largest_jobs_step(const EventLog& log, const Field& field) {
  JobId largest;
  for (const Job& job : log.jobs)
    if (job.plan >= 0 && (!largest.valid() || job.gpus > log.jobs[largest.index()].gpus))
      largest = job.id;
  double time = 0, steps = 0;
  for (const IterationRecord& iteration : log.iterations) {
    if (iteration.job != largest) continue;
    time += static_cast<double>(iteration.steps) * in_seconds(field(iteration));
    steps += static_cast<double>(iteration.steps);
  }
  return ratio(time, steps);
}

using B = const Books&;

// Every metric there is. summary.json holds them in this order; `trainyard list` prints them.
const std::vector<MetricEntry> kMetrics = {
    {"jobs", [](B books) { return static_cast<double>(books.jobs.size()); },
     "jobs that were submitted"},
    {"completed", [](B books) { return jobs_that(books, [](auto& job) { return job.completed; }); },
     "jobs that completed"},
    {"never_started",
     [](B books) { return jobs_that(books, [](auto& job) { return !job.started; }); },
     "jobs that never held a GPU: still pending at the end, or cancelled"},
    {"cut_off", [](B books) { return attempts_ended(books.log, JobState::Running); },
     "attempts that were running when the run ended"},
    {"timeouts", [](B books) { return attempts_ended(books.log, JobState::Timeout); },
     "attempts killed at their time limit"},
    {"preemptions", [](B books) { return attempts_ended(books.log, JobState::Preempted); },
     "attempts ended by the scheduler to make room"},
    {"node_fails", [](B books) { return attempts_ended(books.log, JobState::NodeFail); },
     "attempts ended by a failed part"},
    {"requeues", requeues, "attempts after a job's first, but for those of another size"},
    {"resizes", [](B books) { return attempts_ended(books.log, JobState::Resizing); },
     "attempts ended to go on with another number of GPUs"},
    {"makespan_s", makespan, "from the first submission to the last end of an attempt"},
    {"mean_wait_s", [](B books) { return mean(waits(books.jobs)); },
     "mean over started jobs of first start - submission"},
    {"median_wait_s", [](B books) { return percentile(waits(books.jobs), 0.5); },
     "median over started jobs of first start - submission"},
    {"p95_wait_s", [](B books) { return percentile(waits(books.jobs), 0.95); },
     "95th percentile over started jobs of first start - submission"},
    {"max_wait_s", [](B books) { return percentile(waits(books.jobs), 1); },
     "longest first start - submission"},
    {"mean_turnaround_s", [](B books) { return mean(turnarounds(books.jobs)); },
     "mean over completed jobs of end - submission"},
    {"mean_bounded_slowdown", [](B books) { return mean(bounded_slowdowns(books.jobs)); },
     "mean over completed jobs of max(1, turnaround / max(kept work and checkpoints, 10 s))"},
    {"utilisation", utilisation, "allocated GPU-seconds over those of GPUs that were up"},
    {"goodput", goodput, "productive GPU-seconds over all GPU-seconds of the run"},
    {"contention_share", contention_share,
     "GPU-seconds spent waiting for rivals' traffic over allocated GPU-seconds"},
    {"contention_gpu_s", [](B books) { return gpu_seconds(books, "contention"); },
     "GPU-seconds of training steps that other jobs' traffic added"},
    {"mean_contention_delay_s", [](B books) { return mean(contention_delays(books.log)); },
     "mean over started jobs of the time that rivals' traffic added to their attempts"},
    {"fragmentation",
     [](B books) { return fragmentation(vacancies(books.platform, books.log), books.log.end); },
     "free GPU-seconds on nodes that are partly in use, over all free GPU-seconds"},
    {"overtaken", [](B books) { return static_cast<double>(overtaken(books.log, books.jobs)); },
     "jobs that started after one of their priority which was submitted later"},
    {"evenness_among_users", [](B books) { return evenness_among_users(books.log, books.jobs); },
     "Jain's index of the users' mean bounded slowdowns: 1 is even, 1/users the least even"},
    {"longest_cascade", [](B books) { return static_cast<double>(longest_cascade(books.log)); },
     "longest chain of preemptions in which each victim had preempted the one before"},
    {"lost_gpu_s", [](B books) { return gpu_seconds(books, "lost"); },
     "GPU-seconds of work after the last save of attempts that did not complete"},
    {"largest_job_step_s",
     [](B books) { return largest_jobs_step(books.log, [](auto& step) { return step.duration; }); },
     "mean step of the training job with the most GPUs, without checkpoints"},
    {"largest_job_isolated_step_s",
     [](B books) { return largest_jobs_step(books.log, [](auto& step) { return step.isolated; }); },
     "the same step on the same GPUs if the job had no neighbours"},
    {"largest_job_analytic_step_s",
     [](B books) { return largest_jobs_step(books.log, analytic_step); },
     "the same step on nominal parts and a fabric that is never in the way (model 'analytic')"},
    {"allocated_gpu_s", allocated, "GPU-seconds held by attempts"},
};

}  // namespace

Books::Books(const Platform& its_platform, const EventLog& its_log)
    : platform(its_platform),
      log(its_log),
      classes(ledger(its_platform, its_log)),
      jobs(job_times(its_log)) {}

const std::vector<MetricEntry>& metrics() { return kMetrics; }

}  // namespace trainyard
