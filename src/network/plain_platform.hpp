// Plain SimGrid platforms: SimGrid loads the file and keeps its routes; each host is a node with
// one GPU.
//
// Latencies are read and then set to zero in the engine, because Trainyard pays latency outside the
// flow.
#pragma once

#include "network/routing.hpp"

#include <simgrid/s4u.hpp>

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

// The hosts in natural order of their names (node-2 before node-10): the order of GPU ids.
std::vector<simgrid::s4u::Host*> plain_hosts(const simgrid::s4u::Engine& engine);

// Throws InputError if the engine's platform, loaded from `file`, has no host.
Platform read_plain_platform(const simgrid::s4u::Engine& engine, const std::string& file);

// SimGrid's own routes, asked for once per pair.
std::unique_ptr<Routing> make_plain_routing(const Platform& platform,
                                            std::vector<simgrid::s4u::Host*> hosts);

}  // namespace trainyard
