// Every format of job traces. `trainyard list` prints it.
#pragma once

#include "workload/importers/jobs/job_trace.hpp"

#include <string>
#include <vector>

namespace trainyard {

// What a trace leaves open, and so what may be said of it.
enum class TraceAsks {
  Nothing,
  Processors,   // how many GPUs one of its processors stands for
  Throughputs,  // steps per second, if its jobs are not to be steps of plans
  RunTimes,     // by application
  Columns,      // what they are, where it has no header
};

struct JobTraceFormat {
  const char* name;
  JobTrace (*read)(const std::string& file, const JobTraceOptions& options);
  TraceAsks asks;
  const char* sentence;
};

const std::vector<JobTraceFormat>& job_trace_formats();

}  // namespace trainyard
