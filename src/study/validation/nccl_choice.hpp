// Which algorithms NCCL would run on a platform.
#pragma once

#include "collectives/calibration.hpp"
#include "collectives/tuner/tuner.hpp"

#include <vector>

namespace trainyard {

// Those that NCCL has for this collective on these GPUs; one of our own choice if it tunes none.
std::vector<const AlgorithmEntry*> nccl_algorithms(const Collective& collective,
                                                   const Platform& platform);

// What NCCL's cost model gets to know of the platform. Unknown GPUs count as Hopper.
TunerInput tuner_input(const Collective& collective, const Platform& platform);

// The calibrated algorithm, or else NCCL's choice.
const AlgorithmEntry& usual_algorithm(const Collective& collective, const Platform& platform,
                                      const Calibration& calibration);

}  // namespace trainyard
