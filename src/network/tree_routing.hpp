// Routing over switch trees by arithmetic: no search, no table of routes, whatever the size.
#pragma once

#include "network/routing.hpp"

#include <memory>

namespace trainyard {

// For platforms whose fabric is a tree, or a forest (rails without spines).
std::unique_ptr<Routing> make_tree_routing(const Platform& platform, const RoutingSpec& spec);

}  // namespace trainyard
