// PCIe inside a node: switches with GPUs and NICs in their slots, and a host above them.
#pragma once

#include "platforms/platform.hpp"

#include <string>

namespace trainyard {

// Each slot's bandwidth one way, and the time to cross it; so much also leads up to the host.
struct PcieSpec {
  Bandwidth bandwidth;
  Seconds latency;
};

PcieId add_pcie_switch(Platform& platform, const PcieSpec& spec, NodeId node,
                       const std::string& name);

// A slot of the switch with the device of that name in it.
void plug_in(Platform& platform, const PcieSpec& spec, PcieId pcie, const std::string& name,
             Gpu& gpu);
void plug_in(Platform& platform, const PcieSpec& spec, PcieId pcie, const std::string& name,
             Nic& nic);

}  // namespace trainyard
