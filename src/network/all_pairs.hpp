// The loads of an all-to-all, without walking n^2 whole paths where the routing takes pairs the
// same way.
#pragma once

#include "collectives/collective.hpp"
#include "network/link_loads.hpp"

#include <vector>

namespace trainyard {

// As if each pair was added by itself, up to rounding.
void add_all_pairs(LinkLoads& loads, const AllPairs& pairs, const std::vector<GpuId>& gpus);

}  // namespace trainyard
