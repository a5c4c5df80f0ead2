// Values that plans and programs read alike.
#pragma once

#include "collectives/collective.hpp"
#include "config/section.hpp"

#include <string>
#include <vector>

namespace trainyard {

// A required time that must be longer than zero.
Seconds positive_seconds(Section& section, const std::string& key);

// The algorithms a user may name for a kind.
std::vector<std::string> algorithm_names(CollectiveKind kind);

}  // namespace trainyard
