// What a job can bring to each link at most: two jobs whose peaks together do not fill a link never
// slow each other down there.
#pragma once

#include "actors/machine.hpp"
#include "actors/step_model.hpp"

#include <vector>

namespace trainyard {

// Of every link that the model's collectives cross, ascending. Collectives of one lane never
// overlap, and no flow is faster than it is alone: the peak is the sum over lanes of the fastest
// flow each can have on the link.
std::vector<LinkUse> links_used(const StepModel& model, const Machine& machine);

}  // namespace trainyard
