// The `plans:` of an experiment by name, and what makes a job with a plan possible on a platform.
#pragma once

#include "config/section.hpp"
#include "platforms/platform.hpp"
#include "study/parallel_plan_reader.hpp"
#include "workload/job.hpp"
#include "workload/training_plan.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

class PlanTable {
public:
  // Both must outlive the table.
  PlanTable(const Platform& platform, const PathResolver& resolve);

  void read(Section& plans);

  // The index of the plan that is named at `key`; -1 for "none".
  int find(const Section& section, const std::string& key, const std::string& name) const;

  // Fits the job to its plan: a tensor group stays on one node. Throws, at `key`, if the job is
  // larger than the platform, or if a step of its plan would take no time.
  void fit(Job& job, const Section& section, const std::string& key);

  // GPUs of one replica of the job, whose number may change; 0: it may not.
  int replica_of(const Job& job) const;
  // Whether the job, whose size is fitted, could be played by so many: with the same tensor groups.
  bool could_have(const Job& job, int gpus) const;
  int most_gpus() const { return platform_.gpu_count(); }

  std::vector<TrainingPlan> take() { return std::move(plans_); }

private:
  bool feasible(const TrainingPlan& plan, int gpus) const;

  const Platform& platform_;
  const PathResolver& resolve_;
  int widest_node_ = 1;
  std::vector<TrainingPlan> plans_;
  std::set<std::pair<int, int>> proven_;                  // plan and GPUs: a step takes time
  mutable std::map<std::pair<int, int>, bool> feasible_;  // plan and GPUs, of elastic jobs
};

}  // namespace trainyard
