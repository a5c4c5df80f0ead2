// Job scripts as they are given to sbatch, and the jobs.csv of recorded scenarios of Slurm: jobs
// with the options that they were submitted with.
#pragma once

#include "workload/importers/jobs/job_trace.hpp"

#include <string>

namespace trainyard {

// A script, or a folder of them (*.sh, *.sbatch, *.slurm, in the order of their names). A job is
// named after its script. Its #SBATCH lines say what it asks for; what no script says stands in
// lines like
//   #TRAINYARD submit: 10 min
//   #TRAINYARD run_time: 2 h
//   #TRAINYARD user: alice
// Without `run_time` it runs for its --time.
JobTrace read_sbatch(const std::string& file, const JobTraceOptions& options);

// Columns id, submit_s, nodes, gpus_per_node, time_limit_min, run_s, partition, qos, account, ...;
// in any order. An exit code is not used: every job completes.
JobTrace read_slurm_jobs(const std::string& file, const JobTraceOptions& options);

}  // namespace trainyard
