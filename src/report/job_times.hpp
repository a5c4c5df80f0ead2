// Waits, turnarounds and slowdowns of the jobs of a run, one number per job that has one.
//
// Jobs that never started have no wait, jobs that did not complete have no slowdown: they are
// counted elsewhere, not averaged. Percentiles interpolate linearly between order statistics, as
// numpy and pandas do, so that a notebook over jobs.csv finds the same numbers.
#pragma once

#include "report/event_log.hpp"

#include <limits>
#include <vector>

namespace trainyard {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// What the attempts say of one job, in seconds.
struct JobTimes {
  bool started = false, completed = false;
  double submit = 0, first_start = 0, last_end = 0;
  double useful = 0;  // work and checkpoints that were kept
  int attempts = 0;
};
std::vector<JobTimes> job_times(const EventLog& log);  // by JobId

std::vector<double> waits(const std::vector<JobTimes>& jobs);  // first start - submission
std::vector<double> turnarounds(
    const std::vector<JobTimes>& jobs);  // end - submission, of completed

// Feitelson's, of completed jobs: max(1, turnaround / max(useful, 10 s)). Work that was lost and
// restarts count as delay, not as running.
std::vector<double> bounded_slowdowns(const std::vector<JobTimes>& jobs);

// part / whole; undefined when there is no whole.
double ratio(double part, double whole);
double mean(const std::vector<double>& values);
double percentile(std::vector<double> values, double fraction);

}  // namespace trainyard
