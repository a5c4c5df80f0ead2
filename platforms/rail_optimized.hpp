// Rail-optimized fabrics: the NICs of one number, of all the nodes of a scalable unit, share a
// leaf.
//
// Leaf (unit, rail) holds the rail-th NIC of each of the unit's nodes: one hop between equal local
// ranks. Above the leaves it is a fat tree. A NIC's position is
//   ((unit * rails) + rail) * nodes_per_unit + node within the unit;
// a last unit with fewer nodes leaves positions empty.
#pragma once

#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

namespace trainyard {

// Topology "rail_optimized": fat_tree's properties and nodes_per_unit, which down[1] must equal.
Platform build_rail_optimized(Properties& properties);

}  // namespace trainyard
