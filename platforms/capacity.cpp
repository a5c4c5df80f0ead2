// How much a fabric carries, and how far it reaches.
#include "platforms/max_flow.hpp"
#include "platforms/platform.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace trainyard {

namespace {

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

std::vector<const std::vector<Port>*> port_lists(const Switch& sw) {
  return {&sw.up, &sw.down, &sw.across};
}

// From the NICs of the first half of the nodes to those of the others.
Bandwidth between_halves(const Platform& platform) {
  const std::size_t source = platform.switches.size(), sink = source + 1;
  MaxFlow flow(sink + 1);
  const auto capacity = [&](LinkId link) {
    return static_cast<std::int64_t>(in_bytes_per_second(platform.links[link.index()].bandwidth));
  };
  for (std::size_t i = 0; i < platform.switches.size(); ++i)
    for (const auto* ports : port_lists(platform.switches[i]))
      for (const Port& port : *ports) flow.add_edge(i, port.peer.index(), capacity(port.out));
  for (const Nic& nic : platform.nics) {
    if (nic.node.value() < platform.node_count() / 2)
      flow.add_edge(source, nic.leaf.index(), capacity(nic.up));
    else
      flow.add_edge(nic.leaf.index(), sink, capacity(nic.down));
  }
  return bytes_per_second(static_cast<double>(flow.run(source, sink)));
}

// The leaves that each GPU's ports are on, each set once.
std::set<std::vector<SwitchId>> leaf_sets(const Platform& platform) {
  std::set<std::vector<SwitchId>> sets;
  for (const Gpu& gpu : platform.gpus) {
    if (!gpu.nic.valid()) continue;
    std::vector<SwitchId> leaves = {platform.nics[gpu.nic.index()].leaf};
    for (const NicId nic : gpu.more_nics) leaves.push_back(platform.nics[nic.index()].leaf);
    sets.insert(std::move(leaves));
  }
  return sets;
}

constexpr int kNever = std::numeric_limits<int>::max();

// Cables from the nearest of these switches to every switch.
std::vector<int> distances(const Platform& platform, std::vector<SwitchId> reached) {
  std::vector<int> distance(platform.switches.size(), kNever);
  for (const SwitchId leaf : reached) distance[leaf.index()] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const auto* ports : port_lists(platform.switches[reached[i].index()]))
      for (const Port& port : *ports) {
        if (distance[port.peer.index()] != kNever) continue;
        distance[port.peer.index()] = distance[reached[i].index()] + 1;
        reached.push_back(port.peer);
      }
  return distance;
}

int farthest(const std::vector<int>& distance, const std::set<std::vector<SwitchId>>& sets) {
  int most = 0;
  for (const std::vector<SwitchId>& leaves : sets) {
    int nearest = kNever;
    for (const SwitchId leaf : leaves) nearest = std::min(nearest, distance[leaf.index()]);
    if (nearest != kNever) most = std::max(most, nearest);
  }
  return most;
}

// In a tree, up to the lowest switch that serves all, and down again.
int tree_height(const Platform& platform) {
  for (const Switch& sw : platform.switches)
    if (serves_all(platform, sw)) return sw.level;
  return platform.switches.back().level;  // a forest of equal trees
}

}  // namespace

Bandwidth bisection(const Platform& platform) {
  if (platform.switches.empty()) return {};
  if (platform.fabric == FabricShape::Graph) return between_halves(platform);
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

int diameter(const Platform& platform) {
  if (platform.nics.empty()) return 0;
  if (platform.fabric == FabricShape::Tree) return 2 * tree_height(platform);
  const auto sets = leaf_sets(platform);
  int most = 0;
  for (const std::vector<SwitchId>& leaves : sets)
    most = std::max(most, farthest(distances(platform, leaves), sets));
  return most + 2;
}

}  // namespace trainyard
