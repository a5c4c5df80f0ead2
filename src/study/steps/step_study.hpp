// One step of one job of an experiment, explained: no scheduler, no neighbours, no engine.
//
// The waterfall starts from the ideal (nominal parts, a network in which only NVLinks and NICs take
// time) and adds what each cause costs, so that it ends at the step.
#pragma once

#include "actors/explain/waterfall.hpp"
#include "actors/isolated_step.hpp"
#include "study/experiment.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct StepStudy {
  struct Blamed {
    std::string rank;  // "rank 17 (node2/gpu1)", and how many are alike
    double seconds = 0;
  };

  std::string job;
  int gpus = 0;
  Allocation allocation;
  StepModel model;
  StepTimeline timeline;
  StepCosts costs;
  Waterfall ideal;                 // of the ideal step
  Waterfall actual;                // of the step as it is, mean over ranks
  TimeSpent critical{};            // of the critical path
  std::vector<Blamed> waited_for;  // seconds that other ranks wait, a step; most first
  std::vector<Blamed> on_path;     // seconds of the critical path by rank; most first
  double flops = 0;                // of all ranks, a step; 0: the plan does not say
  // The same step without one cause or another.
  double without_stragglers = 0, on_ideal_network = 0, without_overlap_cost = 0;

  // Variation included, which the timeline and the waterfall of its ranks leave out.
  double step() const { return timeline.step + in_seconds(costs.variation); }
};

// What a table of many layouts says of each.
struct StepOutline {
  int gpus = 0;
  double step = 0, flops = 0;
  Bytes memory;  // of the fullest GPU; 0: the plan does not say
  Waterfall actual;
};

// As study_step, without what only explains it.
StepOutline outline_step(const Experiment& experiment, const Routing& routing,
                         const std::string& job);

// `job`: its name; "" for the only one. On the placement's choice of an empty cluster. Throws
// InputError if there is no such job, InfeasibleError if it does not fit.
StepStudy study_step(const Experiment& experiment, const Routing& routing, const std::string& job);

// Everything above but the timeline, as JSON; times in seconds.
std::string step_json(const StepStudy& study);

// Perfetto's JSON: a process a class of ranks, a track a stream, an arrow from the rank that came
// last to a collective to the others.
std::string step_timeline_json(const StepStudy& study);

}  // namespace trainyard
