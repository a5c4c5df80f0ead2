#include "network/switch_trees.hpp"

#include "network/choice/communicator.hpp"

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
    Bytes carried;
    for (const SwitchPort* port : ports) {
      const Nic& nic = nic_of(gpus[port->rank.index()]);
      out.push_back({nic.up, port->up});
      out.push_back({nic.down, port->down});
      carried = std::max(carried, port->up);
    }
    for (const LinkId link : links(ports, root, gpus)) {
      out.push_back({link, carried});
      const auto back = opposites_.find(link);  // none in fabrics that are not trees
      if (back != opposites_.end()) out.push_back({back->second, carried});
    }
  }

  std::vector<SwitchId> switches(const Ports& ports, GpuId root,
                                 const std::vector<GpuId>& gpus) const {
    std::set<SwitchId> taken;
    for (const SwitchPort* port : ports) taken.insert(nic_of(gpus[port->rank.index()]).leaf);
    const std::set<LinkId> tree = links(ports, root, gpus);
    for (std::size_t s = 0; s < platform_.switches.size(); ++s) {
      const Switch& from = platform_.switches[s];
      for (const auto* cables : {&from.up, &from.down, &from.across})
        for (const Port& port : *cables) {
          if (tree.count(port.out) == 0) continue;
          taken.insert({SwitchId(static_cast<std::int64_t>(s)), port.peer});
        }
    }
    return {taken.begin(), taken.end()};
  }

private:
  const Nic& nic_of(GpuId gpu) const {
    return platform_.nics[platform_.gpus[gpu.index()].nic.index()];
  }

  // Of the fabric, those that lead from the ports to the root's switch.
  std::set<LinkId> links(const Ports& ports, GpuId root, const std::vector<GpuId>& gpus) const {
    std::set<LinkId> tree;
    for (const SwitchPort* port : ports) {
      std::vector<LinkShare> path;
      routing_->append_path(gpus[port->rank.index()], root, 0, path);
      for (const LinkShare& hop : path)
        if (platform_.links[hop.link.index()].link_class == LinkClass::Fabric)
          tree.insert(hop.link);
    }
    return tree;
  }

  const Platform& platform_;
  std::unique_ptr<Routing> routing_;
  std::map<LinkId, LinkId> opposites_;
};

}  // namespace

bool SwitchTrees::in_a_domain(const Ports& ports, const std::vector<GpuId>& gpus) const {
  const auto node = [&](const SwitchPort* port) {
    return nccl_node(platform_, gpus[port->rank.index()]);
  };
  return std::all_of(ports.begin(), ports.end(),
                     [&](const SwitchPort* port) { return node(port) == node(ports.front()); });
}

std::vector<TreeLoad> SwitchTrees::loads(const InSwitch& in_switch,
                                         const std::vector<GpuId>& gpus) const {
  std::vector<TreeLoad> loads;
  std::unique_ptr<FabricTrees> fabric;
  for (const auto& [tree, ports] : by_tree(in_switch)) {
    if (in_a_domain(ports, gpus)) {
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

std::vector<std::vector<SwitchId>> SwitchTrees::switches(const InSwitch& in_switch,
                                                         const std::vector<GpuId>& gpus) const {
  const FabricTrees fabric(platform_);
  std::vector<std::vector<SwitchId>> taken;
  for (const auto& [tree, ports] : by_tree(in_switch)) {
    const bool inside = in_a_domain(ports, gpus);
    taken.push_back(inside ? std::vector<SwitchId>{}
                           : fabric.switches(ports, root_of(tree, ports, gpus), gpus));
  }
  return taken;
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
