// The picture while it is drawn: what is shown and where, row by row from the top.
#pragma once

#include "platforms/drawing/overview.hpp"
#include "platforms/drawing/svg.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::drawing {

constexpr double kWidth = 1240, kTop = 104, kRowHeight = 150, kBoxHeight = 34, kNodeHeight = 58;
constexpr double kLeft = 210, kRight = 960;  // between them the switches and nodes
constexpr const char* kGrey = "#616e7c";

struct Spot {
  double x = 0, y = 0, width = 0;  // the middle of a box's upper edge
};

const char* colour_of(const LinkKind& kind);

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

}  // namespace trainyard::drawing
