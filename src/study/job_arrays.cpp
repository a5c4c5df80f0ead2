#include "study/job_arrays.hpp"

#include "base/text.hpp"
#include "schedulers/slurm/job/submit_text.hpp"

#include <utility>

namespace trainyard {

namespace {

// What stands behind "--array=" or "-a="; "" if nothing does.
std::string array_of(const std::string& sbatch) {
  for (const std::string& word : split(sbatch, ' '))
    for (const char* name : {"--array=", "-a="})
      if (word.rfind(name, 0) == 0) return word.substr(std::string(name).size());
  return "";
}

}  // namespace

void expand_arrays(Workload& workload) {
  std::vector<Job> jobs;
  jobs.reserve(workload.jobs.size());
  for (Job& job : workload.jobs) {
    const std::string text = job.sbatch.empty() ? "" : array_of(job.sbatch);
    slurm::SlurmJob parsed;
    if (text.empty() || !slurm::parse_array(text, parsed)) {  // policy `slurm` will refuse it
      jobs.push_back(std::move(job));
      continue;
    }
    const auto place = workload.sbatch_at.find(job.name);
    for (const int task : parsed.array) {
      Job one = job;
      one.array = job.name;
      one.array_task = task;
      one.name += "_" + std::to_string(task);
      if (place != workload.sbatch_at.end()) workload.sbatch_at[one.name] = place->second;
      jobs.push_back(std::move(one));
    }
  }
  workload.jobs = std::move(jobs);
}

}  // namespace trainyard
