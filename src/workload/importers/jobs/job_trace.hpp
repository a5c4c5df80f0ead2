// A recorded trace of jobs, whatever its format: when they came, how large they were, how long they
// ran. None of these formats says what the jobs communicate.
#pragma once

#include "workload/job.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

struct JobTraceOptions {
  int gpus_per_processor = 1;                          // where the trace counts processors
  Seconds default_limit = days(1);                     // when requested time is unknown
  std::int64_t max_jobs = 0;                           // keep the first so many of the file; 0: all
  std::map<std::string, std::int64_t> queue_priority;  // queue -> Job::priority; others: 0
  std::string throughputs, worker;           // where it says steps: a file, and its kind of GPU
  std::vector<std::string> columns{};        // where it has no header
  std::map<std::string, Seconds> run_times;  // where it says neither: by application
};

struct JobTrace {
  std::vector<Job> jobs;  // submit relative to the first job's; limit, and run_time or steps; no id
  std::vector<std::string> models;              // by job: what it trains; "" where not said
  std::map<std::string, std::int64_t> dropped;  // reason -> count
  std::map<std::string, std::string> header;  // of SWF, "; Key: value"; repeated: one value a line
  std::int64_t over_limit = 0;    // jobs whose recorded run time exceeds their requested time
  std::int64_t no_limit = 0;      // jobs without a requested time: they got `default_limit`
  std::int64_t out_of_order = 0;  // jobs submitted before the one on the line above
};

}  // namespace trainyard
