// Fat trees: switches of a level see the same positions by several parents (an extended generalised
// fat tree, XGFT, with parallel cables).
//
// Position p hangs on leaf p / down[1]; a switch of level l serves the down[1]*..*down[l]
// positions of its subtree, and parents[1]*..*parents[l] switches serve the same ones.
// INVARIANT: the switches of a subtree are neighbours, and so are the parents of each of them;
// subtrees without endpoints have no switches, and the last one of a level may be partly filled.
#pragma once

#include "platforms/nvlink_domain.hpp"
#include "platforms/platform.hpp"
#include "platforms/properties.hpp"
#include "platforms/tree_spec.hpp"

namespace trainyard {

// Puts the tree above the platform's NICs, which know their positions, and connects them to it.
void add_tree(Platform& platform, const TreeSpec& spec);

// Nodes below a tree: NIC i at position i.
Platform build_tree(Properties& properties, const NodeSpec& nodes, const TreeSpec& tree);

// Topology "fat_tree": NIC i at position i.
Platform build_fat_tree(Properties& properties);

// Topology "single_switch": the same with one switch, as large as it must be.
Platform build_single_switch(Properties& properties);

}  // namespace trainyard
