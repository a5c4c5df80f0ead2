#include "platforms/dual_port.hpp"

#include "platforms/fat_tree.hpp"
#include "platforms/rail_optimized.hpp"

#include <string>

namespace trainyard {

namespace {

// Makes a second set of switches beside a tree's: all of them, or the leaves only.
class Doubler {
public:
  Doubler(Platform& platform, const std::string& set, int highest_level)
      : platform_(platform), set_(set), highest_level_(highest_level) {}

  void run() {
    platform_.fabric = FabricShape::Graph;
    copy_switches();
    copy_cables();
    split_nics();
  }

private:
  bool doubled(const Switch& sw) const { return sw.level <= highest_level_; }
  std::string first(const std::string& name) const { return set_ + "0/" + name; }
  std::string second(const std::string& name) const { return set_ + "1/" + name; }

  LinkId add_copy(LinkId link, const std::string& name) {
    Link copy = platform_.links[link.index()];
    copy.name = name;
    platform_.links.push_back(std::move(copy));
    return LinkId(static_cast<std::int64_t>(platform_.links.size()) - 1);
  }

  LinkId copy_link(LinkId link) {
    const std::string plain = platform_.links[link.index()].name;
    platform_.links[link.index()].name = first(plain);
    return add_copy(link, second(plain));
  }

  void copy_switches() {
    const std::size_t before = platform_.switches.size();
    for (std::size_t i = 0; i < before; ++i) {
      twins_.emplace_back(static_cast<std::int64_t>(i));
      if (!doubled(platform_.switches[i])) continue;
      twins_.back() = SwitchId(static_cast<std::int64_t>(platform_.switches.size()));
      Switch copy = platform_.switches[i];
      platform_.switches[i].name = first(copy.name);
      copy.name = second(copy.name);
      copy.up.clear();
      copy.down.clear();
      platform_.switches.push_back(std::move(copy));
    }
  }

  // A cable bears the names of its ends and is part of the set if its lower end is. Up links are
  // followed by their down links.
  void copy_cables() {
    for (std::size_t i = 0; i < twins_.size(); ++i) {
      const SwitchId twin = twins_[i];
      if (twin.index() == i) continue;
      const std::vector<Port> ports = platform_.switches[i].up;
      for (const Port& port : ports) {
        const SwitchId above = twins_[port.peer.index()];
        const LinkId down(port.out.value() + 1);
        platform_.switches[twin.index()].up.push_back({above, copy_link(port.out)});
        platform_.switches[above.index()].down.push_back({twin, copy_link(down)});
      }
    }
  }

  // NIC i becomes the ports 2i and 2i + 1; what is plugged into PCIe is the NIC.
  void split_nics() {
    std::vector<Nic> ports;
    ports.reserve(2 * platform_.nics.size());
    for (const Nic& nic : platform_.nics) {
      const std::string up = platform_.links[nic.up.index()].name;
      const std::string name = up.substr(0, up.size() - 3);
      Nic other = nic;
      other.leaf = twins_[nic.leaf.index()];
      other.up = add_copy(nic.up, name + "/port1/up");
      other.down = add_copy(nic.down, name + "/port1/down");
      platform_.links[nic.up.index()].name = name + "/port0/up";
      platform_.links[nic.down.index()].name = name + "/port0/down";
      ports.push_back(nic);
      ports.push_back(other);
    }
    platform_.nics = std::move(ports);
    for (Gpu& gpu : platform_.gpus) {
      gpu.nic = NicId(2 * std::int64_t{gpu.nic.value()});
      gpu.more_nics = {NicId(gpu.nic.value() + 1)};
    }
  }

  Platform& platform_;
  std::string set_;
  int highest_level_;
  std::vector<SwitchId> twins_;  // by switch of the tree: its copy, or itself
};

Platform build_one(Properties& properties) {
  NodeSpec nodes = read_node_spec(properties);
  nodes.nic = nodes.nic / 2;
  const TreeSpec tree = read_tree_spec(properties, nodes.nic);
  return properties.has("nodes_per_unit") ? build_rails(properties, nodes, tree)
                                          : build_tree(properties, nodes, tree);
}

}  // namespace

Platform build_dual_plane(Properties& properties) {
  Platform platform = build_one(properties);
  Doubler(platform, "plane", platform.switches.back().level).run();
  return platform;
}

Platform build_dual_tor(Properties& properties) {
  Platform platform = build_one(properties);
  Doubler(platform, "tor", 1).run();
  return platform;
}

}  // namespace trainyard
