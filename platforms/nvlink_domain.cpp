#include "platforms/nvlink_domain.hpp"

#include <string>

namespace trainyard {

namespace {

std::string numbered(const std::string& name, int number) { return name + std::to_string(number); }

LinkId add_link(Platform& platform, Link link) {
  platform.links.push_back(std::move(link));
  return LinkId(static_cast<std::int64_t>(platform.links.size()) - 1);
}

// To and from the NVSwitch of the domain.
void add_switch_links(Platform& platform, const NodeSpec& spec, const std::string& name, Gpu& gpu) {
  gpu.nvlink_up = add_link(
      platform, {name + "/nvlink_up", spec.nvlink, spec.nvlink_latency, LinkClass::NvLink});
  gpu.nvlink_down = add_link(
      platform, {name + "/nvlink_down", spec.nvlink, spec.nvlink_latency, LinkClass::NvLink});
}

void add_gpus(Platform& platform, const NodeSpec& spec, NodeId node) {
  const std::string& node_name = platform.nodes[node.index()].name;
  for (int i = 0; i < spec.gpus_per_node; ++i) {
    Gpu gpu;
    gpu.node = node;
    gpu.domain = DomainId(static_cast<std::int64_t>(platform.gpus.size()) / spec.gpus_per_domain);
    if (spec.gpus_per_domain > 1 && spec.layout == NvlinkLayout::Switch)
      add_switch_links(platform, spec, numbered(node_name + "/gpu", i), gpu);
    platform.gpus.push_back(gpu);
  }
}

// Each two GPUs of the node.
void add_pairs(Platform& platform, const NodeSpec& spec, NodeId node) {
  const std::string gpu = platform.nodes[node.index()].name + "/gpu";
  const std::int64_t first = platform.nodes[node.index()].first_gpu.value();
  const auto direction = [&](int from, int to) {
    return add_link(
        platform, {numbered(gpu, from) + numbered("/nvlink_gpu", to),
                   spec.nvlink / (spec.gpus_per_node - 1), spec.nvlink_latency, LinkClass::NvLink});
  };
  for (int a = 0; a < spec.gpus_per_node; ++a)
    for (int b = a + 1; b < spec.gpus_per_node; ++b) {
      const LinkId there = direction(a, b);
      platform.nvlink_pairs.push_back({GpuId(first + a), GpuId(first + b), there, direction(b, a)});
    }
}

// The PCIe switches, with the GPUs in their slots.
void add_pcie(Platform& platform, const NodeSpec& spec, NodeId node) {
  const Node data = platform.nodes[node.index()];
  PcieId pcie;
  for (int i = 0; i < data.gpus; ++i) {
    if (i % spec.gpus_per_pcie_switch == 0)
      pcie = add_pcie_switch(platform, *spec.pcie, node,
                             numbered(data.name + "/pcie", i / spec.gpus_per_pcie_switch));
    plug_in(platform, *spec.pcie, pcie, numbered(data.name + "/gpu", i),
            platform.gpus[data.first_gpu.index() + static_cast<std::size_t>(i)]);
  }
}

void add_nics(Platform& platform, const NodeSpec& spec, NodeId node,
              const std::vector<std::int32_t>& positions, Seconds leaf_latency) {
  const Node data = platform.nodes[node.index()];
  const int gpus_per_nic = spec.gpus_per_node / spec.nics_per_node;
  for (int i = 0; i < spec.nics_per_node; ++i) {
    const NicId id(static_cast<std::int64_t>(platform.nics.size()));
    const std::string name = numbered(data.name + "/nic", i);
    const LinkId up =
        add_link(platform, {name + "/up", spec.nic, spec.nic_latency, LinkClass::Nic});
    const LinkId down = add_link(
        platform, {name + "/down", spec.nic, leaf_latency + spec.nic_latency, LinkClass::Nic});
    Nic nic = {node, SwitchId(), up, down, positions[id.index()]};
    Gpu* const gpus = &platform.gpus[data.first_gpu.index()] + std::ptrdiff_t{i} * gpus_per_nic;
    if (spec.pcie) plug_in(platform, *spec.pcie, gpus->pcie, name, nic);
    platform.nics.push_back(nic);
    for (int k = 0; k < gpus_per_nic; ++k) gpus[k].nic = id;
  }
}

}  // namespace

void add_nodes(Platform& platform, const NodeSpec& spec, const std::vector<std::int32_t>& positions,
               Seconds leaf_latency) {
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  platform.nodes.reserve(nodes);
  platform.gpus.reserve(nodes * static_cast<std::size_t>(spec.gpus_per_node));
  platform.nics.reserve(static_cast<std::size_t>(spec.nics()));
  for (int n = 0; n < spec.nodes; ++n) {
    const GpuId first_gpu(static_cast<std::int64_t>(platform.gpus.size()));
    platform.nodes.push_back({numbered("node", n), first_gpu, spec.gpus_per_node, SwitchId()});
    add_gpus(platform, spec, NodeId(n));
    if (spec.layout == NvlinkLayout::AllToAll) add_pairs(platform, spec, NodeId(n));
    if (spec.pcie) add_pcie(platform, spec, NodeId(n));
    if (spec.nics_per_node > 0) add_nics(platform, spec, NodeId(n), positions, leaf_latency);
  }
}

Platform build_nvlink_domain(Properties& properties) {
  const NodeSpec spec = read_domain_spec(properties);
  Platform platform;
  add_nodes(platform, spec, {}, Seconds());
  return platform;
}

}  // namespace trainyard
