// Rail-optimized fabrics: the NICs of one number, of all the nodes of a scalable unit, share a
// leaf.
//
// Leaf (unit, rail) holds the rail-th NIC of each of the unit's nodes: one hop between equal local
// ranks. Above the leaves it is a fat tree, or nothing: then a unit is all the nodes, and rails
// meet only inside nodes. A NIC's position is
//   ((unit * rails) + rail) * nodes_per_unit + node within the unit;
// a last unit with fewer nodes leaves positions empty.
//
// With PXN (NCCL's; property pxn, on unless said otherwise) traffic to another rail of another node
// goes by NVLink to the GPU on that rail, so that within a unit it never climbs above the leaves.
#pragma once

#include "platforms/nvlink_domain.hpp"
#include "platforms/platform.hpp"
#include "platforms/properties.hpp"
#include "platforms/tree_spec.hpp"

namespace trainyard {

// Topology "rail_optimized": fat_tree's properties and nodes_per_unit, which down[1] must equal.
Platform build_rail_optimized(Properties& properties);

// Topology "rail_only": one switch a rail, as large as it must be.
Platform build_rail_only(Properties& properties);

// The fabric that the specs and `nodes_per_unit` describe.
Platform build_rails(Properties& properties, const NodeSpec& nodes, const TreeSpec& tree);

}  // namespace trainyard
