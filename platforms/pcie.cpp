#include "platforms/pcie.hpp"

namespace trainyard {

namespace {

LinkId add_link(Platform& platform, const PcieSpec& spec, const std::string& name) {
  platform.links.push_back({name, spec.bandwidth, spec.latency, LinkClass::Pcie});
  return LinkId(static_cast<std::int64_t>(platform.links.size()) - 1);
}

template <typename Device>
void plug(Platform& platform, const PcieSpec& spec, PcieId pcie, const std::string& name,
          Device& device) {
  device.pcie = pcie;
  device.pcie_up = add_link(platform, spec, name + "/pcie_up");
  device.pcie_down = add_link(platform, spec, name + "/pcie_down");
}

}  // namespace

PcieId add_pcie_switch(Platform& platform, const PcieSpec& spec, NodeId node,
                       const std::string& name) {
  const LinkId up = add_link(platform, spec, name + "/up");
  platform.pcie_switches.push_back({node, up, add_link(platform, spec, name + "/down")});
  return PcieId(static_cast<std::int64_t>(platform.pcie_switches.size()) - 1);
}

void plug_in(Platform& platform, const PcieSpec& spec, PcieId pcie, const std::string& name,
             Gpu& gpu) {
  plug(platform, spec, pcie, name, gpu);
}

void plug_in(Platform& platform, const PcieSpec& spec, PcieId pcie, const std::string& name,
             Nic& nic) {
  plug(platform, spec, pcie, name, nic);
}

}  // namespace trainyard
