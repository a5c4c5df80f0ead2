// The topology of Alibaba's Lingjun 2023 trace: topo.csv with the columns ip,DSW,PSW,ASW.
//
// One host a line, and the switches above it, from the core (DSW) down to its own (ASW). A switch's
// name holds below its parent only: S1 below P10 is another one than S1 below P12.
#pragma once

#include "base/error.hpp"
#include "platforms/site/fabric.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct LingjunHost {
  std::string ip;  // a hash
  std::string core, aggregation, leaf;
  Place place;
};

// Unique hosts, in the order of the file; at least one.
std::vector<LingjunHost> parse_lingjun_topology(const std::string& file, const std::string& text);

// Switches are called G6, G6-P10, G6-P10-S14.
Fabric to_fabric(const std::vector<LingjunHost>& hosts);

}  // namespace trainyard
