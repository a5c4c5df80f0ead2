// How long one step of a job takes without neighbours: the same model, played on a private Fluid.
#pragma once

#include "actors/step_model.hpp"

namespace trainyard {

// The time between the ends of two consecutive steps once the ranks have fallen into step (the
// third). The machine may differ from that of the run: nominal capacities give the cost of slow
// links, the `analytic` model the ideal.
Seconds isolated_step(const StepModel& model, const Machine& machine);

}  // namespace trainyard
