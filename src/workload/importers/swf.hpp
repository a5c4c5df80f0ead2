// Standard Workload Format 2.2, plain or .gz, read as a stream: one job per line, 18 fields, ';'
// comments.
//
// Only what is needed is interpreted: job number, submit, run time, processors, requested time, and
// status. A job without a positive run time or without processors is dropped and counted, never
// invented.
#pragma once

#include "workload/job.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

struct SwfOptions {
  int gpus_per_processor = 1;
  Seconds default_limit = days(1);  // when requested time is unknown
  std::int64_t max_jobs = 0;        // 0: all
};

struct SwfTrace {
  std::vector<Job>
      jobs;  // submit relative to the first job's; limit and run_time filled; id, plan not
  std::map<std::string, std::int64_t> dropped;  // reason -> count
  std::map<std::string, std::string> header;    // "; Key: value"
  std::int64_t over_limit = 0;  // jobs whose recorded run time exceeds their requested time
};

SwfTrace read_swf(const std::string& file, const SwfOptions& options);

}  // namespace trainyard
