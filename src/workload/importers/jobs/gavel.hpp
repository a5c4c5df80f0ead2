// Traces in the format of Gavel's simulator, and Shockwave's of the same family: no header, columns
// separated by tabs, as many as tell the variant.
//
//   7   job type, command, steps' argument, needs data, steps, arrival, GPUs      (Gavel, Philly)
//   10  job type, command, folder, steps' argument, needs data, steps, GPUs, priority, SLO, arrival
//   12  as 10, with mode after GPUs and duration after SLO                        (Shockwave)
//
// The 12-column variant says how long a job runs. In the others it is steps over the steps per
// second that a table of throughputs (Gavel's simulation_throughputs.json) has for job type, GPUs
// and kind of GPU; without such a table a job keeps its steps and has no run time. Jobs of unknown
// or no throughput are dropped and counted. Jobs are named by their line.
#pragma once

#include "workload/importers/jobs/job_trace.hpp"

#include <string>

namespace trainyard {

JobTrace read_gavel(const std::string& file, const JobTraceOptions& options);

}  // namespace trainyard
