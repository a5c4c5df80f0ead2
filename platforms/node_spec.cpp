// What a file may say about its nodes, and which of it contradicts itself.
#include "platforms/nvlink_domain.hpp"

#include <string>

namespace trainyard {

namespace {

// A typing error must not fill the memory: ten times the largest cluster there is.
constexpr std::int64_t kMostGpus = 1'000'000;

std::string number(std::int64_t value) { return std::to_string(value); }

void read_gpus(Properties& properties, NodeSpec& spec) {
  spec.gpus_per_node = properties.positive_int("gpus_per_node");
  if (static_cast<std::int64_t>(spec.nodes) * spec.gpus_per_node > kMostGpus)
    throw properties.infeasible("gpus_per_node",
                                number(spec.nodes) + " nodes of " + number(spec.gpus_per_node) +
                                    " GPUs are more than " + number(kMostGpus) + " GPUs");
}

void read_domain(Properties& properties, NodeSpec& spec) {
  spec.gpus_per_domain = properties.positive_int_or("gpus_per_domain", spec.gpus_per_node);
  if (spec.gpus_per_domain % spec.gpus_per_node != 0)
    throw properties.infeasible("gpus_per_domain",
                                number(spec.gpus_per_domain) + " GPUs are no whole nodes of " +
                                    number(spec.gpus_per_node) + " (from 'gpus_per_node')");
}

void read_nvlink(Properties& properties, NodeSpec& spec) {
  if (spec.gpus_per_domain == 1) {
    for (const char* id : {"nvlink_bandwidth", "nvlink_latency", "nvlink_layout"})
      if (properties.has(id)) throw properties.error(id, "has no meaning if gpus_per_node is 1");
    return;
  }
  spec.nvlink = properties.bandwidth("nvlink_bandwidth");
  spec.nvlink_latency = properties.seconds("nvlink_latency");
  if (properties.one_of_or("nvlink_layout", {"switch", "all_to_all"}, "switch") == "switch") return;
  spec.layout = NvlinkLayout::AllToAll;
  if (spec.gpus_per_domain != spec.gpus_per_node)
    throw properties.infeasible("gpus_per_domain",
                                "spans several nodes, which takes an NVSwitch, but "
                                "'nvlink_layout' is 'all_to_all'");
}

void read_pcie(Properties& properties, NodeSpec& spec) {
  if (!properties.has("pcie_bandwidth")) {
    for (const char* id : {"pcie_latency", "gpus_per_pcie_switch"})
      if (properties.has(id)) throw properties.error(id, "has no meaning without 'pcie_bandwidth'");
    return;
  }
  spec.pcie = PcieSpec{properties.bandwidth("pcie_bandwidth"), properties.seconds("pcie_latency")};
  spec.gpus_per_pcie_switch = properties.positive_int("gpus_per_pcie_switch");
  if (spec.gpus_per_node % spec.gpus_per_pcie_switch != 0)
    throw properties.infeasible("gpus_per_pcie_switch",
                                number(spec.gpus_per_pcie_switch) +
                                    " do not divide gpus_per_node = " + number(spec.gpus_per_node));
}

}  // namespace

NodeSpec read_node_spec(Properties& properties) {
  NodeSpec spec;
  spec.nodes = properties.positive_int("nodes");
  read_gpus(properties, spec);
  read_domain(properties, spec);
  read_nvlink(properties, spec);
  spec.nics_per_node = properties.positive_int_or("nics_per_node", spec.gpus_per_node);
  if (spec.gpus_per_node % spec.nics_per_node != 0)
    throw properties.infeasible("nics_per_node", number(spec.nics_per_node) +
                                                     " NICs cannot serve gpus_per_node = " +
                                                     number(spec.gpus_per_node) + " GPUs evenly");
  spec.nic = properties.bandwidth("nic_bandwidth");
  spec.nic_latency = properties.seconds("nic_latency");
  read_pcie(properties, spec);
  return spec;
}

NodeSpec read_domain_spec(Properties& properties) {
  NodeSpec spec;
  spec.nodes = properties.positive_int_or("nodes", 1);
  read_gpus(properties, spec);
  spec.gpus_per_domain = spec.nodes * spec.gpus_per_node;
  read_nvlink(properties, spec);
  return spec;
}

}  // namespace trainyard
