// Which algorithms NCCL would run on a platform.
#pragma once

#include "collectives/tuner/tuner.hpp"
#include "platforms/platform.hpp"

#include <vector>

namespace trainyard {

// Those that NCCL has for this collective on these GPUs; one of our own choice if it tunes none.
std::vector<const AlgorithmEntry*> nccl_algorithms(const Collective& collective,
                                                   const Platform& platform);

}  // namespace trainyard
