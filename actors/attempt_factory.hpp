// Makes the attempts of jobs: from a job, its plan and the GPUs it was given to what its ranks will
// play, how many steps there are, and what its slow parts cost.
#pragma once

#include "actors/algorithms_used.hpp"
#include "actors/explain/waterfall.hpp"
#include "actors/job_model/job_model.hpp"
#include "actors/job_step.hpp"
#include "actors/tree_grants.hpp"
#include "report/event_log.hpp"
#include "workload/training_plan.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard {

// What a recorded run time means: the time on an idle cluster with the job on the first GPUs, or
// the time that its own placement gives without neighbours.
enum class TraceRuntime { Isolated, AsRecorded };

struct AttemptOptions {
  CheckpointRule checkpoint;
  Seconds restart;  // before every attempt but the first
  // What it takes to go on with another number of GPUs. Not said: a checkpoint and a restart.
  std::optional<Seconds> resize{};
  TraceRuntime runtime = TraceRuntime::Isolated;
  bool fold = true;
  ComputeVariation variation;
  bool explain_steps = false;  // keep a StepRecord of each attempt
  bool alone = false;          // there is one job only: nobody can disturb it (FoldingRules)
  bool in_detail = false;      // collectives inside delays stay operations of their own
};

class AttemptFactory {
public:
  // `machine` has the slow parts; the plans are those that Job::plan refers to. All must outlive
  // the factory.
  AttemptFactory(const Machine& machine, const std::vector<TrainingPlan>& plans,
                 const AttemptOptions& options);

  // Also sets the job's number of steps at its first attempt.
  AttemptSpec make(const Job& job, const Allocation& allocation, JobProgress& progress);

  // Works out the attempt's links and costs anew: the routes have changed.
  void reroute(AttemptSpec& spec, const JobProgress& progress) const;

  // What the job would play on another machine: nominal parts, an ideal network.
  StepModel model_on(const Machine& machine, const Job& job, const Allocation& allocation) const {
    return model_of(job, allocation, machine, JobProgress{});
  }
  // What jitter, pauses and spells of slowness add to a step on the mean, alone.
  Seconds variation_of(const Job& job, const Allocation& allocation, const StepModel& model) const;
  const Machine& nominal() const { return nominal_; }  // without slow parts

  // The job's attempt is over: its aggregation trees are for others.
  void ended(JobId job) { trees_.give_back(job); }

  // What was said while making them: algorithms that did not apply, for the summary's warnings.
  const std::set<std::string>& notes() const { return notes_; }
  const AlgorithmsUsed& algorithms() const { return algorithms_; }
  const std::vector<StepRecord>& steps() const { return steps_; }

private:
  bool folds() const { return options_.fold && !options_.variation.any(); }
  // Where every computation varies by itself, it stays by itself.
  Merging merging() const {
    return options_.in_detail || options_.variation.any() ? Merging::Computing : Merging::Serial;
  }
  Program program_of(const Job& job, int gpus, const JobProgress& progress) const;
  StepModel parallel_model_of(const Job& job, const Allocation& allocation,
                              const Machine& machine) const;
  StepModel model_of(const Job& job, const Allocation& allocation, const Machine& machine,
                     const JobProgress& progress) const;
  StepModel model_with_trees(const Job& job, const Allocation& allocation,
                             const JobProgress& progress);
  Seconds isolated(const Job& job, const Allocation& allocation, const Machine& machine,
                   const JobProgress& progress) const;
  void pay_restart(const JobProgress& progress, AttemptSpec& spec) const;
  std::int64_t count_steps(const Job& job, Seconds isolated_here, const JobProgress& progress);
  StepCosts costs_of(const AttemptSpec& spec, const StepModel& model, const JobProgress& progress,
                     Seconds ideal) const;
  struct Ideal {
    Seconds step;
    Waterfall parts;  // of a job whose steps are explained
  };
  Ideal ideal_of(const AttemptSpec& spec, const StepModel& model,
                 const JobProgress& progress) const;
  bool explains(const Job& job) const;
  void keep(const Waterfall& ideal, const Job& job, const JobProgress& progress);
  void add_failed_links(const AttemptSpec& spec, const JobProgress& progress,
                        StepCosts& costs) const;

  const Machine& machine_;
  Machine nominal_;
  const std::vector<TrainingPlan>& plans_;
  AttemptOptions options_;
  std::map<std::pair<int, int>, Seconds>
      reference_;  // isolated step by plan and size, on the first GPUs
  mutable std::shared_ptr<const FoldedJob> folded_;  // of the model made last
  TreeGrants trees_;
  AlgorithmsUsed algorithms_;
  std::vector<StepRecord> steps_;  // of attempts whose plan says what ranks do
  std::set<std::string> notes_;
};

}  // namespace trainyard
