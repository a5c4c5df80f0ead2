#include "report/job_times.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

constexpr double kSlowdownThreshold = 10;  // seconds: Feitelson's tau, shorter runs count as this

void add_attempt(const AttemptRecord& attempt, JobTimes& job) {
  const double start = in_seconds(attempt.start);
  job.first_start = job.started ? std::min(job.first_start, start) : start;
  job.last_end = std::max(job.last_end, in_seconds(attempt.end));
  job.useful += in_seconds(attempt.work + attempt.checkpoint);
  job.completed = job.completed || attempt.end_state == JobState::Completed;
  job.started = true;
  ++job.attempts;
}

}  // namespace

std::vector<JobTimes> job_times(const EventLog& log) {
  std::vector<JobTimes> jobs(log.jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].submit = in_seconds(log.jobs[i].submit);
  for (const AttemptRecord& attempt : log.attempts)
    if (!attempt.allocation.gpus.empty()) add_attempt(attempt, jobs[attempt.job.index()]);
  return jobs;
}

std::vector<double> waits(const std::vector<JobTimes>& jobs) {
  std::vector<double> times;
  for (const JobTimes& job : jobs)
    if (job.started) times.push_back(job.first_start - job.submit);
  return times;
}

std::vector<double> turnarounds(const std::vector<JobTimes>& jobs) {
  std::vector<double> times;
  for (const JobTimes& job : jobs)
    if (job.completed) times.push_back(job.last_end - job.submit);
  return times;
}

std::vector<double> bounded_slowdowns(const std::vector<JobTimes>& jobs) {
  std::vector<double> slowdowns;
  for (const JobTimes& job : jobs) {
    if (!job.completed) continue;
    const double running = std::max(job.useful, kSlowdownThreshold);
    slowdowns.push_back(std::max(1.0, (job.last_end - job.submit) / running));
  }
  return slowdowns;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : kUndefined; }

double mean(const std::vector<double>& values) {
  return ratio(std::accumulate(values.begin(), values.end(), 0.0),
               static_cast<double>(values.size()));
}

double percentile(std::vector<double> values, double fraction) {
  if (values.empty()) return kUndefined;
  std::sort(values.begin(), values.end());
  const double position = fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - std::floor(position)) * (values[above] - values[below]);
}

}  // namespace trainyard
