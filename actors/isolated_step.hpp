// How long one step of a job takes without neighbours: the same model, played on a private Fluid.
#pragma once

#include "actors/step_model.hpp"

namespace trainyard {

// The time between the ends of two consecutive steps once the ranks have fallen into step (the
// third). `capacities` may differ from those of the run: nominal ones give the cost of slow links.
Seconds isolated_step(const StepModel& model, const Platform& platform,
                      const Capacities& capacities);

}  // namespace trainyard
