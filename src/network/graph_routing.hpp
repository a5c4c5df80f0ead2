// Routing over fabrics of any shape: equal-cost shortest paths from GPU to GPU.
//
// A GPU may leave by any of its NICs and a destination be reached by any of its own: what counts is
// the whole path. So a card with a port in each of two planes stays in the plane it left by, and
// one with ports on two leaves of one fabric takes the nearer.
//   static  the destination's position, divided by how wide the switch's level is, picks a cable:
//           on a full tree D-mod-k, cable by cable
//   ecmp    the port and then every switch hash the queue pair
//   spray   the GPU divides equally over its ports, a switch over its cables to all next hops
#pragma once

#include "network/routing.hpp"

#include <memory>

namespace trainyard {

std::unique_ptr<Routing> make_graph_routing(const Platform& platform, const RoutingSpec& spec);
std::unique_ptr<Routing> make_graph_spray(const Platform& platform);

}  // namespace trainyard
