// The numbers of summary.json: one table row per metric, each with its unit and the sentence that
// defines it.
//
// Everything here is a pure function of the platform and the log. A metric of an empty set (the
// mean wait when nothing started) is not a number: NaN here, null in summary.json, "-" in a table.
#pragma once

#include "platforms/platform.hpp"
#include "report/event_log.hpp"
#include "report/job_times.hpp"

#include <string>
#include <vector>

namespace trainyard {

// GPU-seconds by what became of them; they sum to GPUs x run time exactly (a property test says
// so).
struct LedgerClass {
  std::string name;  // productive slow_gpu slow_link failed_link variation contention checkpoint
                     // restart lost idle down
  double gpu_seconds = 0;
};
std::vector<LedgerClass> ledger(const Platform& platform, const EventLog& log);

// The GPU-seconds of one class; 0 for a class that does not exist.
double gpu_seconds_of(const std::vector<LedgerClass>& classes, const std::string& name);

// A run with its books closed: what several metrics need is worked out once. The platform and the
// log must outlive it.
struct Books {
  const Platform& platform;
  const EventLog& log;
  const std::vector<LedgerClass> classes;
  const std::vector<JobTimes> jobs;

  Books(const Platform& its_platform, const EventLog& its_log);
};

struct MetricEntry {
  const char* name;  // ends in its unit: "mean_wait_s"; a bare name is a count or a fraction
  double (*value)(const Books& books);
  const char* sentence;
};
const std::vector<MetricEntry>& metrics();

}  // namespace trainyard
