// How the ranks of a communicator lie on a platform: what algorithms and NCCL's tuner go by.
//
// A node is here what NCCL takes for one: the GPUs that meet without a NIC. That is the NVLink
// domain where there is one (18 trays of a rack, say), whatever nodes a scheduler sees.
#pragma once

#include "collectives/collective.hpp"
#include "platforms/platform.hpp"

#include <memory>
#include <vector>

namespace trainyard {

// The same for GPUs of one node, different for others.
std::int64_t nccl_node(const Platform& platform, GpuId gpu);

// How many consecutive ranks sit on each node, if that is the same number everywhere; otherwise 1.
int ranks_per_node(const std::vector<GpuId>& gpus, const Platform& platform);

// NCCL's rings: over several equal nodes its channels, inside a node without an NVSwitch what the
// mesh of NVLinks allows. None where every order is as good.
std::shared_ptr<const std::vector<Ring>> nccl_rings(const std::vector<GpuId>& gpus,
                                                    const Platform& platform);

}  // namespace trainyard
