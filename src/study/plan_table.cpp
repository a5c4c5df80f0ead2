#include "study/plan_table.hpp"

#include "base/text.hpp"
#include "study/recorded_plan_reader.hpp"

#include <algorithm>

namespace trainyard {

namespace {

const char* const kNoPlan = "none";

}  // namespace

PlanTable::PlanTable(const Platform& platform, const PathResolver& resolve)
    : platform_(platform), resolve_(resolve) {
  for (const Node& node : platform.nodes) widest_node_ = std::max(widest_node_, node.gpus);
}

void PlanTable::read(Section& plans) {
  for (const std::string& name : plans.keys()) {
    if (name == kNoPlan)
      throw plans.error(name, "is what a job without a plan names; call the plan something else");
    Section section = plans.section(name);
    TrainingPlan plan;
    if (section.has("model") || section.has("layout"))
      plan.steps = read_parallel_plan(section, platform_, resolve_);
    else if (section.has("recorded"))
      plan.steps = read_recorded_plan(section, platform_, resolve_);
    else
      plan = read_training_plan(section);
    plan.name = name;
    plans_.push_back(std::move(plan));
  }
  plans.finish();
}

int PlanTable::find(const Section& section, const std::string& key, const std::string& name) const {
  if (name == kNoPlan) return -1;
  std::vector<std::string> names = {kNoPlan};
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].name == name) return static_cast<int>(i);
    names.push_back(plans_[i].name);
  }
  throw section.error(key, "no plan '" + name + "'" + suggestion(name, names));
}

void PlanTable::fit(Job& job, const Section& section, const std::string& key) {
  if (job.gpus > platform_.gpu_count())
    throw section.infeasible(key, "job '" + job.name + "' wants " + std::to_string(job.gpus) +
                                      " GPUs; platform '" + platform_.name + "' has " +
                                      std::to_string(platform_.gpu_count()));
  if (job.plan < 0) return;
  const TrainingPlan& plan = plans_[static_cast<std::size_t>(job.plan)];
  job.gpus_per_block = plan.tensor_width(job.gpus, widest_node_);
  if (!proven_.insert({job.plan, job.gpus}).second) return;
  if (plan.steps) {
    plan.steps->program(job.gpus);  // throws what does not fit
    return;
  }
  if (make_program(plan, job.gpus, widest_node_).operations.empty())
    throw section.infeasible(key, "job '" + job.name + "' has " + std::to_string(job.gpus) +
                                      (job.gpus == 1 ? " GPU" : " GPUs") + "; of plan '" +
                                      plan.name +
                                      "' that leaves only collectives of one rank, which take no "
                                      "time");
}

int PlanTable::replica_of(const Job& job) const {
  if (job.plan < 0) return 1;
  const TrainingPlan& plan = plans_[static_cast<std::size_t>(job.plan)];
  if (plan.steps) return plan.steps->replica();
  return plan.custom.empty() ? job.gpus_per_block : 0;
}

bool PlanTable::could_have(const Job& job, int gpus) const {
  const int replica = replica_of(job);
  if (gpus == job.gpus) return true;
  if (replica == 0 || gpus % replica != 0 || gpus > platform_.gpu_count()) return false;
  if (job.plan < 0) return true;
  const TrainingPlan& plan = plans_[static_cast<std::size_t>(job.plan)];
  if (plan.tensor_width(gpus, widest_node_) != job.gpus_per_block) return false;
  const auto [known, is_new] = feasible_.insert({{job.plan, gpus}, true});
  if (is_new) known->second = feasible(plan, gpus);
  return known->second;
}

// Only whoever makes the program knows whether batch, widths and memory go together.
bool PlanTable::feasible(const TrainingPlan& plan, int gpus) const {
  if (!plan.steps) return !make_program(plan, gpus, widest_node_).operations.empty();
  try {
    plan.steps->program(gpus);
    return true;
  } catch (const InfeasibleError&) {
    return false;
  }
}

}  // namespace trainyard
