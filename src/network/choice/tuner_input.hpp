// What NCCL's cost model gets to know of a communicator and the platform under it.
#pragma once

#include "collectives/tuner/tuner.hpp"
#include "platforms/platform.hpp"

#include <optional>
#include <vector>

namespace trainyard {

// None where the platform does not say its GPU, or one that NCCL has no figures for.
std::optional<TunerInput> tuner_input(const Collective& collective, const std::vector<GpuId>& gpus,
                                      const Platform& platform);

}  // namespace trainyard
