// The rows: switches by level, then nodes, each with its words in the margins.
#include "base/text.hpp"
#include "platforms/drawing/picture_parts.hpp"

#include <algorithm>

namespace trainyard::drawing {

namespace {

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

}  // namespace

void Picture::draw_row(double y, const std::string& name, const std::string& count,
                       const std::vector<std::string>& notes) {
  svg_.text(24, y + 14, name, {14, "#1f2933", "start", true});
  svg_.text(24, y + 32, count, {12, kGrey});
  double line = y + 6;
  for (std::size_t i = 0; i < notes.size() && i < 6; ++i, line += 15)
    svg_.text(kRight + 14, line, notes[i], {11, kGrey});
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

}  // namespace trainyard::drawing
