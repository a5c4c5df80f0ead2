// How long one step of a job takes without neighbours: the same model, played on a private Fluid.
#pragma once

#include "actors/program_player.hpp"
#include "actors/step_model.hpp"

#include <functional>
#include <memory>

namespace trainyard {

// The time between the ends of two consecutive steps once the ranks have fallen into step (the
// third). The machine may differ from that of the run: nominal capacities give the cost of slow
// links, the `analytic` model the ideal. Throws SimulationError with the circle of ranks that wait
// for each other if the program cannot proceed.
Seconds isolated_step(const StepModel& model, const Machine& machine);

// The mean over many steps of ranks whose computing varies. `rule` is made for the clock it is
// given.
using MakeDurations = std::function<std::unique_ptr<DurationRule>(std::function<Seconds()> now)>;
Seconds varied_step(const StepModel& model, const Machine& machine, const MakeDurations& rule);

}  // namespace trainyard
