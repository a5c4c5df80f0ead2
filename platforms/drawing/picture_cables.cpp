// The cables, and what their colours mean.
#include "base/text.hpp"
#include "platforms/drawing/picture_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::drawing {

const char* colour_of(const LinkKind& kind) {
  const char* const levels[] = {"#2563eb", "#7c3aed", "#c026d3", "#db2777"};
  switch (kind.link_class) {
    case LinkClass::NvLink:
      return "#65a30d";
    case LinkClass::Pcie:
      return "#d97706";
    case LinkClass::Nic:
      return "#0891b2";
    case LinkClass::Fabric:
      return levels[std::clamp(kind.level, 1, 4) - 1];
    case LinkClass::Plain:
      return kGrey;
  }
  return kGrey;
}

namespace {

std::string name_of(const LinkKind& kind) {
  switch (kind.link_class) {
    case LinkClass::NvLink:
      return "NVLink";
    case LinkClass::Pcie:
      return "PCIe";
    case LinkClass::Nic:
      return "NIC to leaf";
    case LinkClass::Fabric:
      return "level " + std::to_string(kind.level) + " and above";
    case LinkClass::Plain:
      return "link";
  }
  return "link";
}

}  // namespace

// Thicker for more cables, in steps of twice as many.
void Picture::cable(const Spot& low, double low_y, const Spot& high, int count, const Link& link,
                    const std::string& title) {
  svg_.group(title + ": " + std::to_string(count) + " x " + readable(link.bandwidth));
  const char* colour = colour_of({link.link_class, link.level, link.bandwidth, 0});
  if (low_y > high.y + 1)
    svg_.line(low.x, low_y, high.x, high.y + kBoxHeight, colour, 1 + 0.6 * std::log2(count));
  else  // of one level: below the row
    svg_.line(low.x, low_y + kBoxHeight, high.x, high.y + kBoxHeight + 14, colour, 1);
  svg_.end_group();
}

void Picture::draw_cables() {
  for (const auto& [id, spot] : switches_) {
    const Switch& sw = platform_.switches[id.index()];
    std::map<SwitchId, std::pair<int, LinkId>> peers;
    for (const auto* ports : {&sw.up, &sw.across})
      for (const Port& port : *ports) {
        const auto peer = peers.emplace(port.peer, std::make_pair(0, port.out)).first;
        ++peer->second.first;
      }
    for (const auto& [peer, cables] : peers)
      if (switches_.count(peer) != 0)
        cable(spot, spot.y, switches_.at(peer), cables.first,
              platform_.links[cables.second.index()],
              sw.name + " - " + platform_.switches[peer.index()].name);
  }
  std::map<std::pair<NodeId, SwitchId>, std::pair<int, LinkId>> pairs;
  for (const Nic& nic : platform_.nics)
    if (nodes_.count(nic.node) != 0 && switches_.count(nic.leaf) != 0)
      ++pairs.emplace(std::make_pair(nic.node, nic.leaf), std::make_pair(0, nic.up))
            .first->second.first;
  for (const auto& [ends, cables] : pairs) {
    const Spot& node = nodes_.at(ends.first);
    cable(node, node.y, switches_.at(ends.second), cables.first,
          platform_.links[cables.second.index()],
          platform_.nodes[ends.first.index()].name + " - " +
              platform_.switches[ends.second.index()].name);
  }
}

double Picture::draw_legend() {
  double x = 24, y = node_y() + kNodeHeight + 44;
  for (const LinkKind& kind : overview_.links) {
    const std::string words =
        name_of(kind) + ": " + readable(kind.bandwidth) + ", " + counted(kind.links, "link");
    const double width = 44 + 6.6 * static_cast<double>(words.size());
    if (x + width > kWidth - 24) x = 24, y += 24;
    svg_.line(x, y - 4, x + 26, y - 4, colour_of(kind), 4);
    svg_.text(x + 34, y, words, {12, kGrey});
    x += width + 12;
  }
  svg_.text(24, y + 26,
            "A cable is two links, one each way. Lines are cables; thicker ones are several.",
            {11, kGrey});
  return y + 44;
}

}  // namespace trainyard::drawing
