#include "platforms/fat_tree.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace trainyard {

namespace {

// The switches of one level, as laid out in Platform::switches: subtree by subtree.
struct Layer {
  std::int64_t first = 0;     // id of the first switch
  std::int64_t subtrees = 0;  // that have endpoints
  std::int64_t wide = 1;      // switches of each subtree
  std::int64_t span = 1;      // positions under each, cut off at the last endpoint
};

std::string switch_name(int level, std::int64_t number) {
  const char* const names[] = {"leaf", "spine", "core"};
  if (level <= 3) return names[level - 1] + std::to_string(number);
  return "level" + std::to_string(level) + "_" + std::to_string(number);
}

std::int64_t positions_of(const Platform& platform) {
  std::int64_t positions = 0;
  for (const Nic& nic : platform.nics)
    positions = std::max<std::int64_t>(positions, nic.position + 1);
  return positions;
}

Layer add_layer(Platform& platform, const TreeLevel& level, int number, const Layer& below) {
  const std::int64_t positions = positions_of(platform);
  Layer layer;
  layer.first = static_cast<std::int64_t>(platform.switches.size());
  layer.wide = below.wide * level.parents;
  layer.span = std::min(below.span * level.down, positions);
  layer.subtrees = (positions + layer.span - 1) / layer.span;
  for (std::int64_t i = 0; i < layer.subtrees * layer.wide; ++i) {
    Switch added;
    added.name = switch_name(number, i);
    added.level = number;
    added.first_position = static_cast<std::int32_t>(i / layer.wide * layer.span);
    added.last_position = static_cast<std::int32_t>(
        std::min<std::int64_t>(added.first_position + layer.span, positions));
    added.child_span = static_cast<std::int32_t>(below.span);
    added.cables_down = level.cables;
    platform.switches.push_back(std::move(added));
  }
  return layer;
}

// One cable, both directions, between a switch and a parent. A link takes as long as its sender.
void add_cable(Platform& platform, SwitchId child, SwitchId parent, const std::string& name,
               const TreeSpec& spec) {
  Switch& low = platform.switches[child.index()];
  Switch& high = platform.switches[parent.index()];
  const TreeLevel& low_level = spec.levels[static_cast<std::size_t>(low.level - 1)];
  const TreeLevel& high_level = spec.levels[static_cast<std::size_t>(low.level)];
  const LinkId up(static_cast<std::int64_t>(platform.links.size()));
  platform.links.push_back(
      {name + "/up", high_level.cable, low_level.switching, LinkClass::Fabric, low.level});
  platform.links.push_back(
      {name + "/down", high_level.cable, high_level.switching, LinkClass::Fabric, low.level});
  low.up.push_back({parent, up});
  high.down.push_back({child, LinkId(up.value() + 1)});
}

// Switch j of a subtree has the parents j * parents .. j * parents + parents - 1 of the subtree
// above: so every parent sees each child subtree by exactly one switch.
void connect(Platform& platform, const TreeSpec& spec, const Layer& low, const Layer& high) {
  const TreeLevel& level = spec.levels[static_cast<std::size_t>(
      platform.switches[static_cast<std::size_t>(high.first)].level - 1)];
  const std::int64_t children = level.down;
  for (std::int64_t i = 0; i < low.subtrees * low.wide; ++i) {
    const SwitchId child(low.first + i);
    const std::int64_t above = high.first + i / low.wide / children * high.wide;
    for (int p = 0; p < level.parents; ++p) {
      const SwitchId parent(above + i % low.wide * level.parents + p);
      const std::string name =
          platform.switches[child.index()].name + "/" + platform.switches[parent.index()].name;
      for (int c = 0; c < level.cables; ++c)
        add_cable(platform, child, parent,
                  level.cables == 1 ? name : name + "/cable" + std::to_string(c), spec);
    }
  }
}

void connect_nics(Platform& platform, const TreeLevel& leaves) {
  for (Nic& nic : platform.nics) {
    nic.leaf = SwitchId(nic.position / leaves.down);
    Node& node = platform.nodes[nic.node.index()];
    if (!node.leaf.valid()) node.leaf = nic.leaf;
  }
}

Platform build(const NodeSpec& nodes, const TreeSpec& tree) {
  std::vector<std::int32_t> positions(static_cast<std::size_t>(nodes.nics()));
  std::iota(positions.begin(), positions.end(), 0);
  Platform platform;
  add_nodes(platform, nodes, positions, tree.levels.front().switching);
  add_tree(platform, tree);
  return platform;
}

}  // namespace

void add_tree(Platform& platform, const TreeSpec& spec) {
  Layer below;
  for (std::size_t l = 0; l < spec.levels.size(); ++l) {
    const Layer layer = add_layer(platform, spec.levels[l], static_cast<int>(l + 1), below);
    if (l > 0) connect(platform, spec, below, layer);
    below = layer;
  }
  connect_nics(platform, spec.levels.front());
}

Platform build_tree(Properties& properties, const NodeSpec& nodes, const TreeSpec& tree) {
  check_fits(properties, tree, nodes.nics());
  return build(nodes, tree);
}

Platform build_fat_tree(Properties& properties) {
  const NodeSpec nodes = read_node_spec(properties);
  return build_tree(properties, nodes, read_tree_spec(properties, nodes.nic));
}

Platform build_single_switch(Properties& properties) {
  const NodeSpec nodes = read_node_spec(properties);
  return build(nodes, read_single_switch_spec(properties, nodes.nic, nodes.nics()));
}

}  // namespace trainyard
