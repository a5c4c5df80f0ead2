// Jobs that share links, played side by side without an engine: how long each one's steps take
// then.
//
// The same StepModels as in a run, on a private Fluid, every job going on to its next step at once:
// what a scheduler's decision would lead to, without the scheduler.
#pragma once

#include "actors/step_model.hpp"

#include <vector>

namespace trainyard {

struct JointStep {
  Seconds mean;       // of its steps, tapered: jobs of unequal periods never settle on one
  Seconds lost;       // a step, to the neighbours' flows
  LinkId worst_link;  // where most of it was lost; invalid if nothing was
};

// In the order of the models. Windows of 50, 100, .. 800 steps of the slowest job are tried until
// the means of two in a row agree within 0.1 %.
std::vector<JointStep> joint_steps(const std::vector<const StepModel*>& models,
                                   const Platform& platform, const Capacities& capacities);

// Whether the jobs have a link in common; if not, neither slows the other.
bool share_a_link(const StepModel& a, const StepModel& b);

}  // namespace trainyard
