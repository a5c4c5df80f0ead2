#include "network/graph_table.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace trainyard {

namespace {

constexpr std::uint32_t kWidest = 1U << 24U;  // beyond this, a division spreads nothing

}  // namespace

GraphTable::GraphTable(const Platform& platform)
    : neighbours_(platform.switches.size()), rows_(platform.switches.size(), -1) {
  add_ports(platform);
  std::int32_t rows = 0;
  for (const Nic& nic : platform.nics)
    if (rows_[nic.leaf.index()] < 0) rows_[nic.leaf.index()] = rows++;
  distances_.assign(static_cast<std::size_t>(rows) * neighbours_.size(), kFar);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i] >= 0) measure(SwitchId(static_cast<std::int64_t>(i)));
  widen(platform);
}

void GraphTable::add_ports(const Platform& platform) {
  std::vector<std::int32_t> place(platform.switches.size(), -1);  // of a peer, in one list
  for (std::size_t i = 0; i < platform.switches.size(); ++i) {
    const Switch& sw = platform.switches[i];
    std::vector<Neighbour>& list = neighbours_[i];
    for (const std::vector<Port>* ports : {&sw.up, &sw.down, &sw.across})
      for (const Port& port : *ports) {
        std::int32_t& at = place[port.peer.index()];
        if (at < 0) {
          at = static_cast<std::int32_t>(list.size());
          list.push_back({port.peer, {}});
        }
        list[static_cast<std::size_t>(at)].cables.push_back(port.out);
      }
    for (const Neighbour& neighbour : list) place[neighbour.peer.index()] = -1;
  }
}

void GraphTable::measure(SwitchId leaf) {
  std::uint8_t* row =
      &distances_[static_cast<std::size_t>(rows_[leaf.index()]) * neighbours_.size()];
  std::vector<SwitchId> reached = {leaf};
  row[leaf.index()] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int distance = row[reached[next].index()] + 1;
    for (const Neighbour& neighbour : neighbours_[reached[next].index()]) {
      std::uint8_t& there = row[neighbour.peer.index()];
      if (there != kFar) continue;
      if (distance == kFar)
        throw InfeasibleError(
            {}, "platform",
            "two switches are more than " + std::to_string(kFar - 1) + " cables apart");
      there = static_cast<std::uint8_t>(distance);
      reached.push_back(neighbour.peer);
    }
  }
}

void GraphTable::widen(const Platform& platform) {
  const auto level = [&](SwitchId id) { return platform.switches[id.index()].level; };
  std::vector<SwitchId> order;
  for (std::size_t i = 0; i < platform.switches.size(); ++i)
    order.emplace_back(static_cast<std::int64_t>(i));
  std::stable_sort(order.begin(), order.end(),
                   [&](SwitchId a, SwitchId b) { return level(a) < level(b); });
  wide_.assign(platform.switches.size(), 1);
  for (const SwitchId id : order) {
    const std::vector<Neighbour>& around = neighbours(id);
    const auto above = [&](const Neighbour& n) { return level(n.peer) > level(id); };
    const auto parents =
        static_cast<std::uint32_t>(std::count_if(around.begin(), around.end(), above));
    for (const Neighbour& neighbour : around) {
      if (!above(neighbour)) continue;
      std::uint32_t& there = wide_[neighbour.peer.index()];
      there = std::max(there, std::min(wide_[id.index()] * parents, kWidest));
    }
  }
}

}  // namespace trainyard
