// The metrics of a run by partition, by user, by workload and by size of job.
#pragma once

#include "report/metrics.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct JobGroup {
  std::string kind;               // "partition", "user", "workload", "size"
  std::string name;               // of sizes: "1", "2-8", "9-64", ... GPUs
  std::vector<std::size_t> jobs;  // by JobId
};

// A kind is left out if none of the jobs says it. Names in order; sizes ascending.
std::vector<JobGroup> job_groups(const EventLog& log);

// What groups.csv has of each, in its order.
struct GroupColumn {
  const char* name;  // ends in its unit
  double value;      // NaN: undefined
};
std::vector<GroupColumn> group_row(const JobGroup& group, const Books& books);

}  // namespace trainyard
