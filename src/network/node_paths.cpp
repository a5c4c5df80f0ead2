#include "network/node_paths.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::vector<std::int32_t> rails_of(const Platform& platform) {
  std::vector<std::int32_t> rails;
  rails.reserve(platform.gpus.size());
  for (const Node& node : platform.nodes) {
    const NicId first = platform.gpus[node.first_gpu.index()].nic;
    for (int i = 0; i < node.gpus; ++i)
      rails.push_back(
          platform.gpus[node.first_gpu.index() + static_cast<std::size_t>(i)].nic.value() -
          first.value());
  }
  return rails;
}

// Nodes of one domain share the number; a node without one comes after all domains.
std::vector<std::int64_t> boxes_of(const Platform& platform) {
  std::vector<std::int64_t> boxes;
  boxes.reserve(platform.nodes.size());
  for (const Node& node : platform.nodes) {
    boxes.push_back(static_cast<std::int64_t>(platform.gpus.size() + boxes.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(node.gpus); ++i) {
      const Gpu& gpu = platform.gpus[node.first_gpu.index() + i];
      if (gpu.domain.valid() && gpu.nvlink_up.valid()) boxes.back() = gpu.domain.value();
    }
  }
  return boxes;
}

}  // namespace

NodePaths::NodePaths(const Platform& platform) : platform_(platform), boxes_(boxes_of(platform)) {
  if (platform.pxn) rails_ = rails_of(platform);
  if (platform.nvlink_pairs.empty()) return;
  peers_.resize(platform.gpus.size());
  const auto add = [&](GpuId from, GpuId to, LinkId link) {
    peers_[from.index()].push_back({to, link, platform.links[link.index()].bandwidth});
  };
  for (const NvlinkPair& pair : platform.nvlink_pairs) {
    add(pair.a, pair.b, pair.a_to_b);
    add(pair.b, pair.a, pair.b_to_a);
  }
}

const NodePaths::Peer* NodePaths::peer(GpuId from, GpuId to) const {
  for (const Peer& peer : peers_[from.index()])
    if (peer.gpu == to) return &peer;
  return nullptr;
}

const NodePaths::Peer* NodePaths::peer_between(GpuId from, GpuId to) const {
  const Peer* best = nullptr;
  Bandwidth most;
  for (const Peer& first : peers_[from.index()]) {
    const Peer* second = peer(first.gpu, to);
    if (second == nullptr) continue;
    const Bandwidth both = std::min(first.bandwidth, second->bandwidth);
    if (both < most || (both == most && best != nullptr && best->gpu < first.gpu)) continue;
    most = both;
    best = &first;
  }
  return best;
}

GpuId NodePaths::relay(GpuId from, GpuId to) const {
  const Node& here = platform_.node_of(from);
  const auto on_rail = [&](std::int64_t local) {
    const GpuId id(here.first_gpu.value() + local);
    return rails_[id.index()] == rails_[to.index()] &&
           nvlink_bandwidth(platform_, from, id) > Bandwidth();
  };
  // Where GPUs share a rail, the one in the destination's place, so that all of them help.
  const std::int64_t alike = to.value() - platform_.node_of(to).first_gpu.value();
  if (alike < here.gpus && on_rail(alike)) return GpuId(here.first_gpu.value() + alike);
  for (std::int64_t local = 0; local < here.gpus; ++local)
    if (on_rail(local)) return GpuId(here.first_gpu.value() + local);
  return from;
}

}  // namespace trainyard
