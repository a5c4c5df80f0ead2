// Standard Workload Format 2.2, plain or .gz, read as a stream: one job per line, 18 fields, ';'
// comments.
//
// Only what is needed is interpreted: job number, submit, run time, processors, requested time,
// status, user and queue; the line itself stays with the job, for writing it back. A job without a
// positive run time or without processors is dropped and counted, never invented; so are the pieces
// (status 2 to 4) of a job that was checkpointed, whose summary line stands before them. Processors
// are the allocated ones (field 5), or else the requested ones (field 8). Failed and cancelled jobs
// that ran are kept: they held their GPUs.
//
// The format asks for lines in order of submission, and real logs break the rule: such a file is
// sorted by submission time, then job number, and the lines out of order are counted. A negative
// submission time, a job number that appears twice and a line that is not 18 numbers are errors.
#pragma once

#include "workload/importers/jobs/job_trace.hpp"

#include <string>

namespace trainyard {

JobTrace read_swf(const std::string& file, const JobTraceOptions& options);

}  // namespace trainyard
