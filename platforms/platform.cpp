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

Bandwidth sum(const Platform& platform, const std::vector<Port>& ports) {
  Bandwidth total;
  for (const Port& port : ports) total += platform.links[port.out.index()].bandwidth;
  return total;
}

// What can reach each switch from below, in the order of ids.
std::vector<Bandwidth> down_capacities(const Platform& platform) {
  std::vector<Bandwidth> capacity;
  for (const Switch& sw : platform.switches) capacity.push_back(sum(platform, sw.down));
  for (const Nic& nic : platform.nics)
    capacity[nic.leaf.index()] += platform.links[nic.up.index()].bandwidth;
  return capacity;
}

bool serves_all(const Platform& platform, const Switch& sw) {
  const Switch& last = platform.switches.back();  // a top switch of the last subtree
  return sw.first_position == 0 && sw.last_position == last.last_position;
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

Bandwidth bisection(const Platform& platform) {
  if (platform.switches.empty()) return {};
  // What one level carries towards the top, if anything must cross it; the NICs are level 0.
  const int levels = platform.switches.back().level;
  std::vector<Bandwidth> upward(static_cast<std::size_t>(levels));
  for (const Nic& nic : platform.nics) upward[0] += platform.links[nic.up.index()].bandwidth;
  for (const Switch& sw : platform.switches)
    if (!serves_all(platform, sw))
      upward[static_cast<std::size_t>(sw.level)] += sum(platform, sw.up);
  Bandwidth narrowest = upward[0];
  for (const Bandwidth level : upward)
    if (level > Bandwidth()) narrowest = std::min(narrowest, level);
  return narrowest / 2;
}

std::vector<double> oversubscription(const Platform& platform) {
  const std::vector<Bandwidth> down = down_capacities(platform);
  std::vector<double> worst;
  for (std::size_t i = 0; i < platform.switches.size(); ++i) {
    const Switch& sw = platform.switches[i];
    if (sw.up.empty()) continue;
    worst.resize(std::max(worst.size(), static_cast<std::size_t>(sw.level)));
    double& ratio = worst[static_cast<std::size_t>(sw.level - 1)];
    ratio = std::max(ratio, down[i] / sum(platform, sw.up));
  }
  return worst;
}

}  // namespace trainyard
