#include "study/steps/step_study.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "schedulers/cluster.hpp"
#include "schedulers/registry.hpp"
#include "study/simulate.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

const Job& job_named(const Experiment& experiment, const std::string& name) {
  std::vector<std::string> names;
  for (const Job& job : experiment.jobs) {
    if (job.name == name || (name.empty() && experiment.jobs.size() == 1)) return job;
    names.push_back(job.name);
  }
  if (name.empty())
    throw InputError(
        {}, "--job",
        "the experiment has " + std::to_string(names.size()) + " jobs: name one of them");
  throw InputError({}, "--job", "no job '" + name + "'" + suggestion(name, names));
}

Allocation place(const Experiment& experiment, const Job& job) {
  const Cluster cluster(experiment.platform);
  Allocation allocation =
      make_placement(experiment)
          ->place(job, {experiment.platform, cluster.free(), cluster.free_per_node()});
  if (allocation.gpus.empty())
    throw InfeasibleError({}, job.name, "does not fit on the empty cluster");
  return allocation;
}

std::string rank_name(const StepStudy& study, const Platform& platform, int rank_class) {
  const std::vector<int>& ranks = study.model.classes[at(rank_class)].ranks;
  const GpuId gpu = study.allocation.gpus[at(ranks.front())];
  std::string name = "rank " + std::to_string(ranks.front()) + " (" + gpu_name(platform, gpu) + ")";
  if (ranks.size() > 1) name += " and " + std::to_string(ranks.size() - 1) + " alike";
  return name;
}

void explain_path(const Platform& platform, StepStudy& study) {
  std::map<int, double> by_class;
  for (const PathPart& part : critical_path(study.model, study.timeline)) {
    const double seconds = part.to - part.from;
    by_class[part.rank_class] += seconds;
    const PlayOperation& play =
        study.model.classes[at(part.rank_class)].operations[at(part.operation)];
    add_spent(study.model, play, seconds, study.critical);
  }
  for (const auto& [rank_class, seconds] : by_class)
    study.on_path.push_back({rank_name(study, platform, rank_class), seconds});
  std::stable_sort(study.on_path.begin(), study.on_path.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
}

void explain_waits(const Platform& platform, StepStudy& study) {
  for (const WaitedFor& blamed : waited_for(study.model, study.timeline))
    if (blamed.seconds > 0)
      study.waited_for.push_back({rank_name(study, platform, blamed.rank_class), blamed.seconds});
}

double flops_of(const StepModel& model) {
  double flops = 0;
  for (const RankClass& rank_class : model.classes)
    for (const PlayOperation& play : rank_class.operations)
      if (play.label >= 0)
        flops += static_cast<double>(rank_class.ranks.size()) * model.labels[at(play.label)].flops;
  return flops;
}

double step_on(const Machine& machine, const StepModel& model) {
  return in_seconds(isolated_step(model, machine));
}

// The same step with one cause removed at a time.
void play_counterfactuals(const AttemptFactory& factory, const Machine& machine, const Job& job,
                          StepStudy& study) {
  Machine unslowed = machine;
  unslowed.gpu_slowdown = factory.nominal().gpu_slowdown;
  study.without_stragglers = step_on(unslowed, factory.model_on(unslowed, job, study.allocation));
  Machine ideal_network = machine;
  ideal_network.model = NetworkModel::Analytic;
  ideal_network.capacities = factory.nominal().capacities;
  study.on_ideal_network =
      step_on(ideal_network, factory.model_on(ideal_network, job, study.allocation));
  StepModel free = factory.model_on(machine, job, study.allocation);
  free.overlap = nullptr;
  study.without_overlap_cost = step_on(machine, free);
}

}  // namespace

StepOutline outline_step(const Experiment& experiment, const Routing& routing,
                         const std::string& job_name) {
  const Job& job = job_named(experiment, job_name);
  const Machine machine = make_machine(experiment, routing);
  AttemptOptions options = experiment.attempts;
  options.alone = true;
  const AttemptFactory factory(machine, experiment.plans, options);
  const Allocation allocation = place(experiment, job);
  const StepModel model = factory.model_on(machine, job, allocation);
  const StepTimeline timeline = isolated_timeline(model, machine);
  StepOutline outline;
  outline.gpus = job.gpus;
  outline.step = timeline.step + in_seconds(factory.variation_of(job, allocation, model));
  outline.flops = flops_of(model);
  outline.actual = waterfall(model, timeline);
  if (const auto& steps = job.plan >= 0 ? experiment.plans[at(job.plan)].steps : nullptr)
    outline.memory = steps->memory_used(job.gpus);
  return outline;
}

StepStudy study_step(const Experiment& experiment, const Routing& routing,
                     const std::string& job_name) {
  const Job& job = job_named(experiment, job_name);
  const Machine machine = make_machine(experiment, routing);
  AttemptOptions options = experiment.attempts;
  options.alone = true;
  options.in_detail = true;
  AttemptFactory factory(machine, experiment.plans, options);
  StepStudy study;
  study.job = job.name;
  study.gpus = job.gpus;
  study.allocation = place(experiment, job);
  JobProgress progress;
  AttemptSpec attempt = factory.make(job, study.allocation, progress);
  study.costs = attempt.costs;
  study.model = std::move(attempt.model);
  study.timeline = isolated_timeline(study.model, machine);
  study.actual = waterfall(study.model, study.timeline);
  Machine ideal = factory.nominal();
  ideal.model = NetworkModel::Analytic;
  const StepModel ideal_model = factory.model_on(ideal, job, study.allocation);
  study.ideal = waterfall(ideal_model, isolated_timeline(ideal_model, ideal));
  study.flops = flops_of(study.model);
  explain_path(experiment.platform, study);
  explain_waits(experiment.platform, study);
  play_counterfactuals(factory, machine, job, study);
  return study;
}

}  // namespace trainyard
