// Rings as plain data: which orders of ranks a ring algorithm goes round.
#pragma once

#include "collectives/collective.hpp"

#include <vector>

namespace trainyard {

// Those the collective brings, otherwise one in the order of ranks.
std::vector<Ring> rings_of(const Collective& collective);
int total_weight(const std::vector<Ring>& rings);

// NCCL's channels over nodes of several ranks: channel c goes between local ranks c and c+1. It
// enters an even node at c and leaves it from c+1, an odd node the other way round, so that between
// nodes it stays on one rail (but for the last hop of an odd number of nodes). Over as many
// channels as a node has ranks, each NIC carries one channel in and one out.
std::vector<Ring> rotated_rings(int ranks, int ranks_per_node, int channels);

}  // namespace trainyard
