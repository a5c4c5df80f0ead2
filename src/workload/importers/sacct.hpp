// What `sacct --parsable2` printed, as jobs with the options of sbatch that they were submitted
// with.
//
// A field may hold a line break: lines are joined until they have the header's fields. Bytes need
// not be UTF-8. Steps ("123.0", "123.batch") are no jobs. Times count from the first submission.
#pragma once

#include "workload/job.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

struct SacctJobs {
  std::vector<Job> jobs;                        // in the order of submission
  std::map<std::string, std::int64_t> dropped;  // why, how many
};

// Fields between '|' or "|#". Throws InputError if there is no header, or one that lacks JobID or
// Submit.
SacctJobs read_sacct(const std::string& file, const std::string& text);

}  // namespace trainyard
