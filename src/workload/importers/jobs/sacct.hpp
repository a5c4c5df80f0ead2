// What `sacct --parsable2` printed: jobs with the options of sbatch that they were submitted with.
//
// A field may hold a line break: lines are joined until they have the header's fields. Bytes need
// not be UTF-8. Steps ("123.0", "123.batch") are no jobs; of a requeued job its first record
// counts.
#pragma once

#include "workload/importers/jobs/job_trace.hpp"

#include <string>

namespace trainyard {

// Fields between '|' or "|#"; a job's queue is its partition. Throws InputError if there is no
// header, or one that lacks JobID or Submit.
JobTrace read_sacct(const std::string& file, const JobTraceOptions& options);

}  // namespace trainyard
