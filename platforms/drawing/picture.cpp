#include "platforms/drawing/picture.hpp"

#include "base/text.hpp"
#include "platforms/drawing/overview.hpp"
#include "platforms/drawing/svg.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace trainyard {

namespace {

constexpr double kWidth = 1240, kTop = 104, kRowHeight = 150, kBoxHeight = 34, kNodeHeight = 58;
constexpr double kLeft = 210, kRight = 960;  // between them the switches and nodes
constexpr std::size_t kMost = 8;             // boxes of a row
const char* const kGrey = "#616e7c";

// Of many, the first five and the last two.
template <typename Id>
std::vector<Id> some(const std::vector<Id>& all) {
  if (all.size() <= kMost) return all;
  std::vector<Id> few(all.begin(), all.begin() + 5);
  few.insert(few.end(), all.end() - 2, all.end());
  return few;
}

struct Spot {
  double x = 0, y = 0, width = 0;  // the middle of a box's upper edge
};

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

class Picture {
public:
  explicit Picture(const Platform& platform)
      : platform_(platform), overview_(overview_of(platform)) {}
  std::string draw();

private:
  void choose();
  std::vector<NodeId> chosen_nodes() const;
  template <typename Id>
  void place(const std::vector<Id>& ids, std::map<Id, Spot>& spots, double y, std::size_t all);
  void draw_title();
  void draw_cables();
  void draw_switches();
  void draw_nodes();
  void draw_gpus(const Node& node, const Spot& spot, const NodeRow& row);
  void draw_row(double y, const std::string& name, const std::string& count,
                const std::vector<std::string>& notes);
  double draw_legend();  // its lower end
  void cable(const Spot& low, double low_y, const Spot& high, int count, const Link& link,
             const std::string& title);
  double node_y() const { return kTop + kRowHeight * static_cast<double>(levels_.size()); }

  const Platform& platform_;
  const Overview overview_;
  std::map<int, std::vector<SwitchId>, std::greater<>> levels_;  // all switches, the top first
  std::map<SwitchId, Spot> switches_;                            // that are shown
  std::map<NodeId, Spot> nodes_;
  Svg svg_;
};

template <typename Id>
void Picture::place(const std::vector<Id>& ids, std::map<Id, Spot>& spots, double y,
                    std::size_t all) {
  const bool gap = ids.size() < all;  // one place is left for what is not shown
  const double places = static_cast<double>(ids.size() + (gap ? 1 : 0));
  const double step = (kRight - kLeft) / places;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const double at = static_cast<double>(gap && i + 2 >= ids.size() ? i + 1 : i);
    spots[ids[i]] = {kLeft + step * (at + 0.5), y, std::min(112.0, step - 8)};
  }
  if (!gap) return;
  const double middle = kLeft + step * (places - 2.5);
  svg_.text(middle, y + 14, "...", {18, kGrey, "middle", true});
  svg_.text(middle, y + 32, std::to_string(all - ids.size()) + " more", {11, kGrey, "middle"});
}

// First those that hang below the switches that are shown.
std::vector<NodeId> Picture::chosen_nodes() const {
  std::map<SwitchId, int> taken;
  std::set<NodeId> chosen;
  const std::size_t all = platform_.nodes.size();
  for (const Nic& nic : platform_.nics) {
    if (all <= kMost || chosen.size() + 1 >= kMost) break;
    if (switches_.count(nic.leaf) != 0 && taken[nic.leaf]++ < 2) chosen.insert(nic.node);
  }
  std::vector<NodeId> ids;
  for (std::size_t i = 0; i < all; ++i) ids.emplace_back(static_cast<std::int64_t>(i));
  if (all <= kMost || platform_.nics.empty()) return some(ids);
  chosen.insert(ids.back());
  return {chosen.begin(), chosen.end()};
}

void Picture::choose() {
  for (std::size_t i = 0; i < platform_.switches.size(); ++i)
    levels_[platform_.switches[i].level].emplace_back(static_cast<std::int64_t>(i));
  double y = kTop;
  for (const auto& [level, ids] : levels_) {
    place(some(ids), switches_, y, ids.size());
    y += kRowHeight;
  }
  place(chosen_nodes(), nodes_, y, platform_.nodes.size());
}

void Picture::draw_title() {
  svg_.text(24, 38, shortened(platform_.name, 90), {22, "#1f2933", "start", true});
  const auto count = [](const auto& things, const char* what) {
    return counted(static_cast<std::int64_t>(things.size()), what);
  };
  std::string facts = count(platform_.nodes, "node") + ", " + count(platform_.gpus, "GPU") + ", " +
                      count(platform_.nics, "NIC") + ", " + count(platform_.switches, "switch");
  if (const Bandwidth half = bisection(platform_); half > Bandwidth())
    facts += "; bisection " + readable(half) + " each way";
  if (const int longest = diameter(platform_); longest > 0)
    facts += "; at most " + counted(longest, "link") + " from NIC to NIC";
  svg_.text(24, 62, facts, {13, kGrey});
}

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

void Picture::draw_row(double y, const std::string& name, const std::string& count,
                       const std::vector<std::string>& notes) {
  svg_.text(24, y + 14, name, {14, "#1f2933", "start", true});
  svg_.text(24, y + 32, count, {12, kGrey});
  double line = y + 6;
  for (std::size_t i = 0; i < notes.size() && i < 6; ++i, line += 15)
    svg_.text(kRight + 14, line, notes[i], {11, kGrey});
}

// A sentence as lines that fit the margin.
std::vector<std::string> lines_of(const std::string& sentence) {
  std::vector<std::string> lines;
  for (const std::string& part : split(sentence, ',')) {
    const std::string words(trim(part));
    if (!lines.empty() && lines.back().size() + words.size() < 40)
      lines.back() += ", " + words;
    else
      lines.push_back(words);
  }
  return lines;
}

void Picture::draw_switches() {
  for (const auto& [id, spot] : switches_) {
    const std::string& name = platform_.switches[id.index()].name;
    svg_.group(name);
    svg_.box(spot.x - spot.width / 2, spot.y, spot.width, kBoxHeight, "#eef2ff", "#3e4c59", 5);
    svg_.text(spot.x, spot.y + 21, shortened(name, static_cast<std::size_t>(spot.width / 6.4)),
              {11, "#1f2933", "middle"});
    svg_.end_group();
  }
  double y = kTop;
  for (const auto& [level, ids] : levels_) {
    std::vector<std::string> notes;
    for (const SwitchRow& row : overview_.switches) {
      if (row.level != level) continue;
      const bool alike = row.switches.size() == ids.size();
      const std::string who = alike ? "each: " : std::to_string(row.switches.size()) + " with: ";
      for (const std::string& line : lines_of(who + description(row))) notes.push_back(line);
    }
    draw_row(y, "level " + std::to_string(level),
             counted(static_cast<std::int64_t>(ids.size()), "switch"), notes);
    y += kRowHeight;
  }
}

void Picture::draw_gpus(const Node& node, const Spot& spot, const NodeRow& row) {
  const int squares = std::min(node.gpus, 8);
  const double size = std::min(9.0, (spot.width - 12) / squares - 2);
  const double begin = spot.x - squares * (size + 2) / 2;
  for (int i = 0; i < squares; ++i)
    svg_.box(begin + i * (size + 2), spot.y + 8, size, size, "#d9f99d", "#4d7c0f", 1);
  const LinkClass inside = row.nvlink > Bandwidth() ? LinkClass::NvLink : LinkClass::Pcie;
  if (node.gpus > 1)
    svg_.line(begin, spot.y + 22, begin + squares * (size + 2) - 2, spot.y + 22,
              colour_of({inside, 0, {}, 0}), 3);
  svg_.text(spot.x, spot.y + 36, counted(node.gpus, "GPU"), {10, kGrey, "middle"});
}

void Picture::draw_nodes() {
  std::vector<std::string> notes;
  std::map<NodeId, const NodeRow*> rows;
  for (const NodeRow& row : overview_.nodes) {
    for (const NodeId id : row.nodes) rows[id] = &row;
    const bool alike = row.nodes.size() == platform_.nodes.size();
    const std::string who = alike ? "each: " : std::to_string(row.nodes.size()) + " with: ";
    for (const std::string& line : lines_of(who + description(row))) notes.push_back(line);
  }
  for (const auto& [id, spot] : nodes_) {
    const Node& node = platform_.nodes[id.index()];
    svg_.group(node.name);
    svg_.box(spot.x - spot.width / 2, spot.y, spot.width, kNodeHeight, "#f7fee7", "#3e4c59", 5);
    draw_gpus(node, spot, *rows.at(id));
    svg_.text(spot.x, spot.y + 51, shortened(node.name, static_cast<std::size_t>(spot.width / 6.4)),
              {11, "#1f2933", "middle"});
    svg_.end_group();
  }
  draw_row(node_y(), "nodes", counted(static_cast<std::int64_t>(platform_.nodes.size()), "node"),
           notes);
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

std::string Picture::draw() {
  choose();
  draw_title();
  draw_cables();
  draw_switches();
  draw_nodes();
  const double height = draw_legend();
  return svg_.document(kWidth, height, platform_.name);
}

}  // namespace

std::string draw(const Platform& platform) { return Picture(platform).draw(); }

}  // namespace trainyard
