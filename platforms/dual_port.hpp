// NICs of two ports. Dual plane: each port is in a fabric of its own, and the two are equal and
// never meet. Dual ToR: the ports are on the two leaves of a pair below the same spines, so that
// a leaf can fail.
//
// The tree that the properties describe is one plane, or has one leaf of each pair; nic_bandwidth
// is that of the whole NIC, half for each port. Routing spreads over ports as over other equal
// paths: by destination, by queue pair, or equally.
#pragma once

#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

namespace trainyard {

// Topologies "dual_plane" and "dual_tor": fat_tree's properties; with nodes_per_unit, also pxn,
// rail_optimized's.
Platform build_dual_plane(Properties& properties);
Platform build_dual_tor(Properties& properties);

}  // namespace trainyard
