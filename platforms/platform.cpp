#include "platforms/platform.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace trainyard {

namespace {

template <typename T>
std::int64_t index_by_name(const std::vector<T>& things, const std::string& name) {
  const auto found = std::find_if(things.begin(), things.end(),
                                  [&](const T& thing) { return thing.name == name; });
  return found == things.end() ? -1 : found - things.begin();
}

}  // namespace

const char* to_string(LinkClass link_class) {
  switch (link_class) {
    case LinkClass::NvLink:
      return "nvlink";
    case LinkClass::Pcie:
      return "pcie";
    case LinkClass::Nic:
      return "nic";
    case LinkClass::Fabric:
      return "fabric";
    case LinkClass::Plain:
      return "plain";
  }
  return "plain";
}

std::string gpu_name(const Platform& platform, GpuId gpu) {
  const Node& node = platform.node_of(gpu);
  return node.name + "/gpu" + std::to_string(gpu.value() - node.first_gpu.value());
}

GpuId find_gpu(const Platform& platform, const std::string& name) {
  const std::size_t slash = name.rfind("/gpu");
  if (slash == std::string::npos) return {};
  const NodeId node = find_node(platform, name.substr(0, slash));
  if (!node.valid()) return {};
  const auto number = parse_integer(std::string_view(name).substr(slash + 4));
  const Node& found = platform.nodes[node.index()];
  if (!number || *number < 0 || *number >= found.gpus) return {};
  const GpuId gpu(found.first_gpu.value() + *number);
  return gpu_name(platform, gpu) == name ? gpu : GpuId();  // "gpu01" is no name
}

LinkId find_link(const Platform& platform, const std::string& name) {
  return LinkId(index_by_name(platform.links, name));
}

NodeId find_node(const Platform& platform, const std::string& name) {
  return NodeId(index_by_name(platform.nodes, name));
}

Bandwidth nvlink_bandwidth(const Platform& platform, GpuId from, GpuId to) {
  const auto of = [&](LinkId link) { return platform.links[link.index()].bandwidth; };
  const Gpu& source = platform.gpus[from.index()];
  const Gpu& destination = platform.gpus[to.index()];
  if (from == to) return {};
  if (source.nvlink_up.valid() && destination.nvlink_up.valid() &&
      source.domain == destination.domain)
    return std::min(of(source.nvlink_up), of(destination.nvlink_down));
  const auto before = [](const NvlinkPair& pair, const std::pair<GpuId, GpuId>& ends) {
    return std::make_pair(pair.a, pair.b) < ends;
  };
  const std::pair<GpuId, GpuId> ends(std::min(from, to), std::max(from, to));
  const auto& pairs = platform.nvlink_pairs;
  const auto pair = std::lower_bound(pairs.begin(), pairs.end(), ends, before);
  if (pair == pairs.end() || pair->a != ends.first || pair->b != ends.second) return {};
  return of(from == pair->a ? pair->a_to_b : pair->b_to_a);
}

}  // namespace trainyard
