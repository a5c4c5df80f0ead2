// The `plans:` and `workload:` of an experiment: named training plans, jobs written out, and traces
// whose jobs get their plans from a table of rules.
#pragma once

#include "config/section.hpp"
#include "platforms/platform.hpp"
#include "study/parallel_plan_reader.hpp"
#include "workload/job.hpp"
#include "workload/training_plan.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

struct Workload {
  std::vector<TrainingPlan> plans;
  std::vector<Job> jobs;  // by JobId: in the order of submission, then of the file
  std::map<std::string, std::int64_t> counts;
  std::map<std::string, Place> sbatch_at;  // where a job's options of sbatch stand, by its name
};

// Reads `plans` and `workload` of the experiment's root. A job larger than the cluster is
// infeasible.
Workload read_workload(Section& root, const Platform& platform, const PathResolver& resolve);

}  // namespace trainyard
