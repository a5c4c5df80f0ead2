// Standard Workload Format 2.2, plain or .gz, read as a stream: one job per line, 18 fields, ';'
// comments.
//
// Only what is needed is interpreted: job number, submit, run time, processors, requested time,
// status and queue. A job without a positive run time or without processors is dropped and counted,
// never invented; so are the pieces (status 2 to 4) of a job that was checkpointed, whose summary
// line stands before them. Processors are the allocated ones (field 5), or else the requested ones
// (field 8). Failed and cancelled jobs that ran are kept: they held their GPUs.
//
// The format asks for lines in order of submission, and real logs break the rule: such a file is
// sorted by submission time, then job number, and the lines out of order are counted. A negative
// submission time, a job number that appears twice and a line that is not 18 numbers are errors.
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
  std::int64_t max_jobs = 0;        // keep the first so many of the file; 0: all
  std::map<std::int64_t, std::int64_t> queue_priority;  // queue number -> Job::priority; others: 0
};

struct SwfTrace {
  std::vector<Job>
      jobs;  // submit relative to the first job's; limit and run_time filled; id, plan not
  std::map<std::string, std::int64_t> dropped;  // reason -> count
  std::map<std::string, std::string> header;    // "; Key: value"; a repeated key: one value a line
  std::int64_t over_limit = 0;    // jobs whose recorded run time exceeds their requested time
  std::int64_t no_limit = 0;      // jobs without a requested time: they got `default_limit`
  std::int64_t out_of_order = 0;  // jobs submitted before the one on the line above
};

SwfTrace read_swf(const std::string& file, const SwfOptions& options);

}  // namespace trainyard
