// The experiment's `network:`: the model, the routing and who chooses the algorithms.
#pragma once

#include "study/experiment.hpp"

namespace trainyard {

// {model: flow, routing: platform, queue_pairs: 1, algorithms: tuned, collectives?: {all_reduce:
// ring, ...}}
void read_network(Section section, Experiment& experiment);

// Throws if a plan names an algorithm whose switches add up and the model has none; `root` is the
// whole experiment.
void check_offload(const Section& root, const Experiment& experiment);

}  // namespace trainyard
