// Cables between switches, and what follows from them: levels, directions, positions.
#include "platforms/graph/graph_builder.hpp"

#include <algorithm>
#include <deque>

namespace trainyard {

void GraphBuilder::settle_levels() {
  std::deque<SwitchId> reached;
  const auto reach = [&](SwitchId id, int level) {
    Switch& sw = platform_.switches[id.index()];
    if (sw.level != 0) return;
    sw.level = level;
    reached.push_back(id);
  };
  for (const Nic& nic : platform_.nics) reach(nic.leaf, 1);
  for (; !reached.empty(); reached.pop_front()) {
    const Switch& sw = platform_.switches[reached.front().index()];
    for (const Port& port : sw.across) reach(port.peer, sw.level + 1);
  }
  for (Switch& sw : platform_.switches) sw.level = std::max(sw.level, 1);  // no NIC reaches it
  sort_ports();
}

// Until levels are known, every cable stands in `across`; a link's level is that of its lower end.
void GraphBuilder::sort_ports() {
  for (Switch& sw : platform_.switches) {
    std::vector<Port> across;
    across.swap(sw.across);
    for (const Port& port : across) {
      const int peer = platform_.switches[port.peer.index()].level;
      platform_.links[port.out.index()].level = std::min(sw.level, peer);
      (peer > sw.level ? sw.up : peer < sw.level ? sw.down : sw.across).push_back(port);
    }
  }
}

void GraphBuilder::add_cables() {
  for (const GraphSpec::Cable& cable : spec_.cables) {
    const auto a = switches_.find(cable.a);
    const auto b = switches_.find(cable.b);
    if (a == switches_.end() || b == switches_.end()) continue;  // a NIC's
    for (int i = 0; i < cable.count; ++i) add_cable(cable, a->second, b->second);
  }
}

// Links are named by the two switches they lead from and to, then by the cable if it has parallels.
void GraphBuilder::add_cable(const GraphSpec::Cable& cable, SwitchId a, SwitchId b) {
  const std::pair<SwitchId, SwitchId> ends = std::minmax(a, b);
  const int number = placed_[ends]++;
  const std::string suffix = parallel_.at(ends) == 1 ? "" : "/cable" + std::to_string(number);
  const auto direction = [&](SwitchId from, SwitchId to) {
    Switch& sender = platform_.switches[from.index()];
    const std::string name = sender.name + "/" + platform_.switches[to.index()].name + suffix;
    const LinkId id =
        add_link({name, cable.bandwidth, latency_of(from) + cable.latency, LinkClass::Fabric});
    sender.across.push_back({to, id});
  };
  direction(a, b);
  direction(b, a);
}

void GraphBuilder::settle_positions() {
  std::vector<std::vector<NicId>> below(platform_.switches.size());
  for (std::size_t i = 0; i < platform_.nics.size(); ++i)
    below[platform_.nics[i].leaf.index()].push_back(NicId(static_cast<std::int64_t>(i)));
  std::int32_t position = 0;
  for (std::size_t i = 0; i < below.size(); ++i) {
    platform_.switches[i].first_position = position;
    for (const NicId nic : below[i]) platform_.nics[nic.index()].position = position++;
    platform_.switches[i].last_position = position;
  }
}

}  // namespace trainyard
