#include "platforms/nvlink_domain.hpp"

#include <string>

namespace trainyard {

namespace {

// A typing error must not fill the memory: ten times the largest cluster there is.
constexpr std::int64_t kMostGpus = 1'000'000;

void read_nvlink(Properties& properties, NodeSpec& spec) {
  spec.gpus_per_node = properties.positive_int("gpus_per_node");
  if (static_cast<std::int64_t>(spec.nodes) * spec.gpus_per_node > kMostGpus)
    throw properties.infeasible("gpus_per_node", std::to_string(spec.nodes) + " nodes of " +
                                                     std::to_string(spec.gpus_per_node) +
                                                     " GPUs are more than " +
                                                     std::to_string(kMostGpus) + " GPUs");
  if (spec.gpus_per_node == 1) {
    for (const char* id : {"nvlink_bandwidth", "nvlink_latency"})
      if (properties.has(id)) throw properties.error(id, "has no meaning if gpus_per_node is 1");
    return;
  }
  spec.nvlink = properties.bandwidth("nvlink_bandwidth");
  spec.nvlink_latency = properties.seconds("nvlink_latency");
}

void add_gpus(Platform& platform, const NodeSpec& spec, NodeId node) {
  const std::string& node_name = platform.nodes[node.index()].name;
  for (int i = 0; i < spec.gpus_per_node; ++i) {
    Gpu gpu;
    gpu.node = node;
    gpu.domain = DomainId(node.value());
    if (spec.gpus_per_node > 1) {
      const std::string name = node_name + "/gpu" + std::to_string(i);
      gpu.nvlink_up = LinkId(static_cast<std::int64_t>(platform.links.size()));
      gpu.nvlink_down = LinkId(gpu.nvlink_up.value() + 1);
      platform.links.push_back(
          {name + "/nvlink_up", spec.nvlink, spec.nvlink_latency, LinkClass::NvLink});
      platform.links.push_back(
          {name + "/nvlink_down", spec.nvlink, spec.nvlink_latency, LinkClass::NvLink});
    }
    platform.gpus.push_back(gpu);
  }
}

void add_nics(Platform& platform, const NodeSpec& spec, NodeId node,
              const std::vector<std::int32_t>& positions, Seconds leaf_latency) {
  const std::string& node_name = platform.nodes[node.index()].name;
  const GpuId first_gpu = platform.nodes[node.index()].first_gpu;
  const int gpus_per_nic = spec.gpus_per_node / spec.nics_per_node;
  for (int i = 0; i < spec.nics_per_node; ++i) {
    const NicId id(static_cast<std::int64_t>(platform.nics.size()));
    const LinkId up(static_cast<std::int64_t>(platform.links.size()));
    const std::string name = node_name + "/nic" + std::to_string(i);
    platform.links.push_back({name + "/up", spec.nic, spec.nic_latency, LinkClass::Nic});
    platform.links.push_back(
        {name + "/down", spec.nic, leaf_latency + spec.nic_latency, LinkClass::Nic});
    platform.nics.push_back({node, SwitchId(), up, LinkId(up.value() + 1), positions[id.index()]});
    for (int k = 0; k < gpus_per_nic; ++k)
      platform.gpus[first_gpu.index() + static_cast<std::size_t>(i * gpus_per_nic + k)].nic = id;
  }
}

}  // namespace

NodeSpec read_node_spec(Properties& properties) {
  NodeSpec spec;
  spec.nodes = properties.positive_int("nodes");
  read_nvlink(properties, spec);
  spec.nics_per_node = properties.positive_int_or("nics_per_node", spec.gpus_per_node);
  if (spec.gpus_per_node % spec.nics_per_node != 0)
    throw properties.infeasible("nics_per_node", std::to_string(spec.nics_per_node) +
                                                     " NICs cannot serve gpus_per_node = " +
                                                     std::to_string(spec.gpus_per_node) +
                                                     " GPUs evenly");
  spec.nic = properties.bandwidth("nic_bandwidth");
  spec.nic_latency = properties.seconds("nic_latency");
  return spec;
}

void add_nodes(Platform& platform, const NodeSpec& spec, const std::vector<std::int32_t>& positions,
               Seconds leaf_latency) {
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  const auto gpus = nodes * static_cast<std::size_t>(spec.gpus_per_node);
  platform.nodes.reserve(nodes);
  platform.gpus.reserve(gpus);
  platform.nics.reserve(static_cast<std::size_t>(spec.nics()));
  for (int n = 0; n < spec.nodes; ++n) {
    const GpuId first_gpu(static_cast<std::int64_t>(platform.gpus.size()));
    platform.nodes.push_back(
        {"node" + std::to_string(n), first_gpu, spec.gpus_per_node, SwitchId()});
    add_gpus(platform, spec, NodeId(n));
    if (spec.nics_per_node > 0) add_nics(platform, spec, NodeId(n), positions, leaf_latency);
  }
}

Platform build_nvlink_domain(Properties& properties) {
  NodeSpec spec;
  read_nvlink(properties, spec);
  Platform platform;
  add_nodes(platform, spec, {}, Seconds());
  return platform;
}

}  // namespace trainyard
