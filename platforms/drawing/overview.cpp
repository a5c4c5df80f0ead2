#include "platforms/drawing/overview.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace trainyard {

namespace {

Bandwidth sum(const Platform& platform, const std::vector<Port>& ports) {
  Bandwidth total;
  for (const Port& port : ports) total += platform.links[port.out.index()].bandwidth;
  return total;
}

SwitchRow row_of(const Platform& platform, SwitchId id, const std::vector<NicId>& nics) {
  const Switch& sw = platform.switches[id.index()];
  SwitchRow row;
  row.level = sw.level;
  row.switches = {id};
  row.nics = static_cast<int>(nics.size());
  row.down = static_cast<int>(sw.down.size());
  row.up = static_cast<int>(sw.up.size());
  row.across = static_cast<int>(sw.across.size());
  std::set<SwitchId> parents;
  for (const Port& port : sw.up) parents.insert(port.peer);
  row.parents = static_cast<int>(parents.size());
  for (const NicId nic : nics)
    row.from_nics += platform.links[platform.nics[nic.index()].up.index()].bandwidth;
  row.from_below = sum(platform, sw.down);
  row.upwards = sum(platform, sw.up);
  return row;
}

auto likeness(const SwitchRow& row) {
  return std::make_tuple(-row.level, row.nics, row.down, row.up, row.across, row.parents,
                         row.from_nics, row.from_below, row.upwards);
}

std::vector<SwitchRow> switch_rows(const Platform& platform) {
  std::vector<std::vector<NicId>> nics(platform.switches.size());
  for (std::size_t i = 0; i < platform.nics.size(); ++i)
    nics[platform.nics[i].leaf.index()].push_back(NicId(static_cast<std::int64_t>(i)));
  std::vector<SwitchRow> rows;
  std::map<decltype(likeness(SwitchRow())), std::size_t> known;
  for (std::size_t i = 0; i < platform.switches.size(); ++i) {
    const SwitchId id(static_cast<std::int64_t>(i));
    SwitchRow row = row_of(platform, id, nics[i]);
    const auto [found, added] = known.emplace(likeness(row), rows.size());
    if (added)
      rows.push_back(std::move(row));
    else
      rows[found->second].switches.push_back(id);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SwitchRow& a, const SwitchRow& b) { return a.level > b.level; });
  return rows;
}

NodeRow row_of(const Platform& platform, NodeId id, const std::vector<NicId>& nics) {
  const Node& node = platform.nodes[id.index()];
  const Gpu& gpu = platform.gpus[node.first_gpu.index()];
  NodeRow row;
  row.nodes = {id};
  row.gpus = node.gpus;
  row.nics = static_cast<int>(nics.size());
  if (gpu.nvlink_up.valid()) row.nvlink = platform.links[gpu.nvlink_up.index()].bandwidth;
  if (gpu.pcie_up.valid()) row.pcie = platform.links[gpu.pcie_up.index()].bandwidth;
  for (const NicId nic : nics)
    row.from_nics += platform.links[platform.nics[nic.index()].up.index()].bandwidth;
  return row;
}

std::vector<NodeRow> node_rows(const Platform& platform) {
  std::vector<std::vector<NicId>> nics(platform.nodes.size());
  for (std::size_t i = 0; i < platform.nics.size(); ++i)
    nics[platform.nics[i].node.index()].push_back(NicId(static_cast<std::int64_t>(i)));
  std::vector<Bandwidth> direct(platform.gpus.size());
  for (const NvlinkPair& pair : platform.nvlink_pairs) {
    direct[pair.a.index()] += platform.links[pair.a_to_b.index()].bandwidth;
    direct[pair.b.index()] += platform.links[pair.b_to_a.index()].bandwidth;
  }
  std::vector<NodeRow> rows;
  std::map<std::tuple<int, int, bool, Bandwidth, Bandwidth, Bandwidth>, std::size_t> known;
  for (std::size_t i = 0; i < platform.nodes.size(); ++i) {
    const NodeId id(static_cast<std::int64_t>(i));
    NodeRow row = row_of(platform, id, nics[i]);
    const Bandwidth pairs = direct[platform.nodes[i].first_gpu.index()];
    row.pairs = pairs > Bandwidth();
    row.nvlink += pairs;
    const auto like =
        std::make_tuple(row.gpus, row.nics, row.pairs, row.nvlink, row.pcie, row.from_nics);
    const auto [found, added] = known.emplace(like, rows.size());
    if (added)
      rows.push_back(std::move(row));
    else
      rows[found->second].nodes.push_back(id);
  }
  return rows;
}

std::vector<LinkKind> link_kinds(const Platform& platform) {
  std::map<std::tuple<LinkClass, int, Bandwidth>, int> counts;
  for (const Link& link : platform.links) ++counts[{link.link_class, link.level, link.bandwidth}];
  std::vector<LinkKind> kinds;
  kinds.reserve(counts.size());
  for (const auto& [kind, count] : counts)
    kinds.push_back({std::get<0>(kind), std::get<1>(kind), std::get<2>(kind), count});
  return kinds;
}

}  // namespace

Overview overview_of(const Platform& platform) {
  return {switch_rows(platform), node_rows(platform), link_kinds(platform)};
}

}  // namespace trainyard
