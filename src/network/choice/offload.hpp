// Which switches add up and copy for a communicator, and if not, why not.
#pragma once

#include "collectives/registry.hpp"
#include "platforms/platform.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Why an algorithm cannot be played on these GPUs whatever its shape: "" if it can.
//   nvls, nvls_tree  need NVSwitches that add up between the ranks of each node
//   sharp            needs switches of the fabric that add up: InfiniBand's, where the platform
//                    says how many trees each serves
std::string missing_hardware(Offload offload, const std::vector<GpuId>& gpus,
                             const Platform& platform);

}  // namespace trainyard
