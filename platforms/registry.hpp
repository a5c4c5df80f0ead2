// Every topology there is. `trainyard list` prints it; the property tests run over it.
#pragma once

#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct TopologyEntry {
  const char* name;
  Platform (*build)(Properties& properties);  // the hardware; asks for what it needs
  const char* sentence;
};

const std::vector<TopologyEntry>& topologies();

// What the properties name: topology, its own properties, routing and calibration; then finish().
Platform build_platform(Properties& properties);

}  // namespace trainyard
