#include "network/switch_trees.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace trainyard {
namespace {

using Ports = std::vector<const SwitchPort*>;

std::map<Rank, Ports> by_tree(const InSwitch& in_switch) {
  std::map<Rank, Ports> trees;
  for (const SwitchPort& port : in_switch.ports) trees[port.tree].push_back(&port);
  return trees;
}

// Trees take different switches if their members allow it: the root's place moves with the tree.
GpuId root_of(Rank tree, const Ports& ports, const std::vector<GpuId>& gpus) {
  return gpus[ports[tree.index() % ports.size()]->rank.index()];
}

// The other direction of each cable between two switches.
std::map<LinkId, LinkId> opposites(const Platform& platform) {
  std::map<LinkId, LinkId> result;
  for (std::size_t s = 0; s < platform.switches.size(); ++s) {
    const Switch& below = platform.switches[s];
    std::map<SwitchId, std::size_t> cables;  // how many to each parent so far
    for (const Port& port : below.up) {
      std::size_t skip = cables[port.peer]++;
      for (const Port& back : platform.switches[port.peer.index()].down) {
        if (back.peer.index() != s || skip-- > 0) continue;
        result[port.out] = back.out;
        result[back.out] = port.out;
        break;
      }
    }
  }
  return result;
}

class FabricTrees {
public:
  explicit FabricTrees(const Platform& platform)
      : platform_(platform),
        routing_(make_routing(platform, {})),
        opposites_(opposites(platform)) {}

  void append(const Ports& ports, GpuId root, const std::vector<GpuId>& gpus,
              std::vector<TreeLoad>& out) const {
    std::set<LinkId> tree;
    Bytes carried;
    for (const SwitchPort* port : ports) {
      const GpuId gpu = gpus[port->rank.index()];
      const Nic& nic = platform_.nics[platform_.gpus[gpu.index()].nic.index()];
      out.push_back({nic.up, port->up});
      out.push_back({nic.down, port->down});
      carried = std::max(carried, port->up);
      std::vector<LinkShare> path;
      routing_->append_path(gpu, root, 0, path);
      for (const LinkShare& hop : path)
        if (platform_.links[hop.link.index()].link_class == LinkClass::Fabric)
          tree.insert(hop.link);
    }
    for (const LinkId link : tree) {
      out.push_back({link, carried});
      const auto back = opposites_.find(link);  // none in fabrics that are not trees
      if (back != opposites_.end()) out.push_back({back->second, carried});
    }
  }

private:
  const Platform& platform_;
  std::unique_ptr<Routing> routing_;
  std::map<LinkId, LinkId> opposites_;
};

}  // namespace

std::vector<TreeLoad> SwitchTrees::loads(const InSwitch& in_switch,
                                         const std::vector<GpuId>& gpus) const {
  std::vector<TreeLoad> loads;
  std::unique_ptr<FabricTrees> fabric;
  for (const auto& [tree, ports] : by_tree(in_switch)) {
    const NodeId node = platform_.gpus[gpus[ports.front()->rank.index()].index()].node;
    const bool in_node =
        std::all_of(ports.begin(), ports.end(), [&, node = node](const auto* port) {
          return platform_.gpus[gpus[port->rank.index()].index()].node == node;
        });
    if (in_node) {
      for (const SwitchPort* port : ports) {
        const Gpu& gpu = platform_.gpus[gpus[port->rank.index()].index()];
        loads.push_back({gpu.nvlink_up, port->up});
        loads.push_back({gpu.nvlink_down, port->down});
      }
      continue;
    }
    if (!fabric) fabric = std::make_unique<FabricTrees>(platform_);
    fabric->append(ports, root_of(tree, ports, gpus), gpus, loads);
  }
  return loads;
}

Seconds SwitchTrees::latency(const InSwitch& in_switch, const std::vector<GpuId>& gpus) const {
  Seconds slowest;
  for (const auto& [tree, ports] : by_tree(in_switch))
    for (const SwitchPort* port : ports)
      slowest =
          std::max(slowest, routing_.latency(gpus[port->rank.index()], root_of(tree, ports, gpus)));
  return slowest;
}

}  // namespace trainyard
