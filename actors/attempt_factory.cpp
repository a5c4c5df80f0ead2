#include "actors/attempt_factory.hpp"

#include "actors/gpu_overlap.hpp"
#include "actors/isolated_step.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

// Of a job that only computes: its checkpoints come at most 1/16 of the interval late.
constexpr double kStepsPerCheckpoint = 16;
// Of one that is elastic: it is resized between two of them.
constexpr std::int64_t kStepsOfElastic = 1000;

// Of a job that is not elastic, what it does is for all GPUs it is given, however many it asked for
// (whole nodes may be part of a request).
int stated_for(const Job& job, int gpus) { return job.sizes.empty() ? gpus : job.gpus; }

int widest_node(const Platform& platform) {
  int widest = 1;
  for (const Node& node : platform.nodes) widest = std::max(widest, node.gpus);
  return widest;
}

}  // namespace

AttemptFactory::AttemptFactory(const Machine& machine, const std::vector<TrainingPlan>& plans,
                               const AttemptOptions& options)
    : machine_(machine), nominal_(machine), plans_(plans), options_(options), trees_(machine) {
  nominal_.gpu_slowdown.assign(machine.gpu_slowdown.size(), 1.0);
  nominal_.capacities = nominal_capacities(*machine.platform);
}

// A job without a plan computes and nothing else: one step, or as many as let it checkpoint by
// time.
Program AttemptFactory::program_of(const Job& job, int gpus, const JobProgress& progress) const {
  if (job.plan >= 0)
    return make_program(
        at_size(plans_[static_cast<std::size_t>(job.plan)], stated_for(job, gpus), gpus), gpus,
        widest_node(*machine_.platform));
  Operation compute;
  compute.name = "compute";
  compute.duration =
      job.run_time / static_cast<double>(std::max<std::int64_t>(1, progress.steps_total));
  if (stated_for(job, gpus) != gpus) compute.duration = compute.duration * job.gpus / gpus;
  Program program;
  program.operations.push_back(compute);
  return program;
}

StepModel AttemptFactory::parallel_model_of(const Job& job, const Allocation& allocation,
                                            const Machine& machine) const {
  const StepSource& steps = *plans_[static_cast<std::size_t>(job.plan)].steps;
  const Efficiency* overlap = steps.overlap_efficiency();
  const JobModelOptions options{
      {folds(), options_.alone}, overlap ? merging() : Merging::On, trees_.why_none(job.id)};
  FoldedJob::Of what{steps.program(static_cast<int>(allocation.gpus.size())), allocation, options,
                     machine};
  if (!folded_ || !folded_->is(what)) folded_ = std::make_shared<const FoldedJob>(std::move(what));
  StepModel model = folded_->model(machine.model);
  if (overlap) model.overlap = std::make_shared<GpuOverlap>(model, *overlap, machine.capacities);
  return model;
}

StepModel AttemptFactory::model_of(const Job& job, const Allocation& allocation,
                                   const Machine& machine, const JobProgress& progress) const {
  if (job.plan >= 0 && plans_[static_cast<std::size_t>(job.plan)].steps)
    return parallel_model_of(job, allocation, machine);
  const auto gpus = static_cast<int>(allocation.gpus.size());
  StepModelOptions options;
  options.fold = folds();
  options.no_trees = trees_.why_none(job.id);
  if (job.plan >= 0)
    options.tensor = plans_[static_cast<std::size_t>(job.plan)].tensor_width(
        gpus, widest_node(*machine_.platform));
  return make_step_model(program_of(job, gpus, progress), allocation, options, machine);
}

// With the aggregation trees that its collectives ask for, or else without any.
StepModel AttemptFactory::model_with_trees(const Job& job, const Allocation& allocation,
                                           const JobProgress& progress) {
  StepModel model = model_of(job, allocation, machine_, progress);
  if (trees_.take(job.id, model)) return model;
  notes_.insert(job.name + ": " + trees_.why_none(job.id) + ": its collectives do without");
  return model_of(job, allocation, machine_, progress);
}

Seconds AttemptFactory::isolated(const Job& job, const Allocation& allocation,
                                 const Machine& machine, const JobProgress& progress) const {
  return isolated_step(model_of(job, allocation, machine, progress), machine);
}

std::int64_t AttemptFactory::count_steps(const Job& job, Seconds isolated_here,
                                         const JobProgress& progress) {
  if (job.steps) return *job.steps;
  Seconds step = isolated_here;
  if (options_.runtime == TraceRuntime::Isolated || !job.sizes.empty()) {
    const auto key = std::make_pair(job.plan, job.gpus);
    if (!reference_.count(key)) {
      Allocation first;
      for (int gpu = 0; gpu < job.gpus; ++gpu) first.gpus.emplace_back(gpu);
      Job alone = job;
      alone.id = JobId();  // nobody has taken its trees
      reference_[key] = isolated(alone, first, nominal_, progress);
    }
    step = reference_[key];
  }
  return std::max<std::int64_t>(1, std::llround(job.run_time / step));
}

// What removing the slow parts would save, from the step played again without them.
StepCosts AttemptFactory::costs_of(const AttemptSpec& spec, const StepModel& model,
                                   const JobProgress& progress, Seconds ideal) const {
  StepCosts costs;
  costs.isolated = isolated_step(model, machine_);
  double worst = 1;
  for (const GpuId gpu : spec.allocation.gpus) {
    const double slowdown = machine_.gpu_slowdown[gpu.index()];
    if (slowdown <= worst) continue;
    worst = slowdown;
    costs.slow_gpu_name = gpu_name(*machine_.platform, gpu);
  }
  if (worst > 1) {
    Machine repaired = machine_;
    repaired.gpu_slowdown = nominal_.gpu_slowdown;
    costs.slow_gpu = costs.isolated - isolated(*spec.job, spec.allocation, repaired, progress);
  }
  worst = 1;
  for (const auto& [link, peak] : model.links) {
    const double left = machine_.capacities[link.index()] / nominal_.capacities[link.index()];
    if (left >= worst) continue;
    worst = left;
    costs.slow_link_name = machine_.platform->links[link.index()].name;
  }
  if (worst < 1) {
    Machine repaired = machine_;
    repaired.capacities = nominal_.capacities;
    costs.slow_link = costs.isolated - isolated(*spec.job, spec.allocation, repaired, progress);
  }
  add_failed_links(spec, progress, costs);
  costs.variation = variation_of(*spec.job, spec.allocation, model);
  costs.isolated += costs.variation;
  costs.fabric = costs.isolated - costs.slow_gpu - costs.slow_link - costs.failed_link -
                 costs.variation - ideal;
  return costs;
}

Seconds AttemptFactory::variation_of(const Job& job, const Allocation& allocation,
                                     const StepModel& model) const {
  if (!options_.variation.any()) return Seconds(0);
  const VariedDurations::Attempt attempt{job.name, 0, allocation};
  const auto rule = [&](const VariedDurations::Clock& now) {
    return std::make_unique<VariedDurations>(options_.variation, attempt, model, now);
  };
  return varied_step(model, machine_, rule) - isolated_step(model, machine_);
}

// With nominal parts and a fabric that is never in the way.
AttemptFactory::Ideal AttemptFactory::ideal_of(const AttemptSpec& spec, const StepModel& model,
                                               const JobProgress& progress) const {
  Machine ideal = nominal_;
  ideal.model = NetworkModel::Analytic;
  const auto is_slow = [this](GpuId gpu) { return machine_.gpu_slowdown[gpu.index()] != 1; };
  const std::vector<GpuId>& gpus = spec.allocation.gpus;
  if (explains(*spec.job)) {
    const StepModel own = model_of(*spec.job, spec.allocation, ideal, progress);
    const StepTimeline timeline = isolated_timeline(own, ideal);
    return {Seconds(timeline.step), waterfall(own, timeline)};
  }
  // Constant times inside delays are the machine's own: they have to be worked out anew.
  if (options_.alone || std::any_of(gpus.begin(), gpus.end(), is_slow))
    return {isolated(*spec.job, spec.allocation, ideal, progress), {}};
  return {isolated_step(model, ideal), {}};
}

bool AttemptFactory::explains(const Job& job) const {
  return options_.explain_steps && job.plan >= 0 &&
         plans_[static_cast<std::size_t>(job.plan)].steps;
}

void AttemptFactory::keep(const Waterfall& ideal, const Job& job, const JobProgress& progress) {
  StepRecord record{job.id, progress.attempts, {}};
  for (std::size_t s = 0; s < kSpentKinds; ++s)
    if (ideal.spent[s] != 0)
      record.ideal.emplace_back(to_string(static_cast<Spent>(s)), ideal.spent[s]);
  steps_.push_back(std::move(record));
}

// What the detours around links that are down cost, and one of those links by name.
void AttemptFactory::add_failed_links(const AttemptSpec& spec, const JobProgress& progress,
                                      StepCosts& costs) const {
  if (!machine_.surviving || machine_.surviving->all_up()) return;
  Machine whole = machine_;
  whole.routing = &machine_.surviving->own();
  const StepModel model = model_of(*spec.job, spec.allocation, whole, progress);
  const auto down = std::find_if(model.links.begin(), model.links.end(), [&](const LinkUse& use) {
    return machine_.surviving->is_down(use.link);
  });
  if (down == model.links.end()) return;
  costs.failed_link_name = machine_.platform->links[down->link.index()].name;
  costs.failed_link = costs.isolated - isolated_step(model, machine_);
}

void AttemptFactory::reroute(AttemptSpec& spec, const JobProgress& progress) const {
  StepModel model = model_of(*spec.job, spec.allocation, machine_, progress);
  spec.costs = costs_of(spec, model, progress, ideal_of(spec, model, progress).step);
  spec.model.links = std::move(model.links);
}

// What was saved on the way out is part of what a resize takes, unless its time is given.
void AttemptFactory::pay_restart(const JobProgress& progress, AttemptSpec& spec) const {
  spec.resize_write = options_.resize ? Seconds(0) : options_.checkpoint.write;
  if (progress.attempts == 0) return;
  spec.restart = progress.resizing && options_.resize ? *options_.resize : options_.restart;
}

AttemptSpec AttemptFactory::make(const Job& job, const Allocation& allocation,
                                 JobProgress& progress) {
  AttemptSpec spec;
  spec.job = &job;
  spec.allocation = allocation;
  spec.checkpoint = options_.checkpoint;
  spec.variation = options_.variation;
  pay_restart(progress, spec);
  if (job.plan < 0 && progress.attempts == 0 && options_.checkpoint.every > Seconds(0))
    progress.steps_total = static_cast<std::int64_t>(
        std::ceil(job.run_time / options_.checkpoint.every * kStepsPerCheckpoint));
  if (job.plan < 0 && progress.attempts == 0 && !job.sizes.empty())
    progress.steps_total = std::max(progress.steps_total, kStepsOfElastic);
  spec.model = model_with_trees(job, allocation, progress);
  algorithms_.note(spec.model);
  const Ideal ideal = ideal_of(spec, spec.model, progress);
  if (explains(job)) keep(ideal.parts, job, progress);
  spec.costs = costs_of(spec, spec.model, progress, ideal.step);
  if (job.plan >= 0 && progress.attempts == 0)
    progress.steps_total = count_steps(job, spec.costs.isolated, progress);
  for (const std::string& note : spec.model.notes) notes_.insert(job.name + ": " + note);
  return spec;
}

}  // namespace trainyard
