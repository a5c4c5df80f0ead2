// Every topology there is. `trainyard list` prints it; the property tests run over it.
#pragma once

#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct TopologyEntry {
  const char* name;
  Platform (*build)(Properties& properties);
  const char* sentence;
};

const std::vector<TopologyEntry>& topologies();

}  // namespace trainyard
