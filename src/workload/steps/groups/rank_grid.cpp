#include "workload/steps/groups/rank_grid.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

std::vector<std::string> axes_of(const Layout& layout) {
  const std::vector<std::string> known = {"tp", "cp", "ep", "dp", "pp"};
  std::vector<std::string> axes = split(layout.order, '-');
  for (const std::string& axis : axes)
    if (std::count(known.begin(), known.end(), axis) == 0)
      throw InputError(layout.place, layout.path + "order",
                       "'" + printable(axis) + "' is no dimension" + suggestion(axis, known));
  for (const std::string& axis : known)
    if (std::count(axes.begin(), axes.end(), axis) != 1)
      throw InputError(
          layout.place, layout.path + "order",
          "must name each of " + join(known, "-") + " once, got '" + printable(layout.order) + "'");
  return axes;
}

RankGrid grid(const std::vector<std::string>& order, const std::map<std::string, int>& widths) {
  std::vector<Axis> axes;
  axes.reserve(order.size());
  for (const std::string& name : order) axes.push_back({name, widths.at(name)});
  return RankGrid(std::move(axes));
}

}  // namespace

int RankGrid::ranks() const {
  int product = 1;
  for (const Axis& axis : axes_) product *= axis.width;
  return product;
}

int RankGrid::stride(const std::string& axis) const {
  int product = 1;
  for (const Axis& each : axes_) {
    if (each.name == axis) break;
    product *= each.width;
  }
  return product;
}

int RankGrid::width(const std::string& axis) const {
  for (const Axis& each : axes_)
    if (each.name == axis) return each.width;
  return 1;
}

int RankGrid::coordinate(int rank, const std::string& axis) const {
  return rank / stride(axis) % width(axis);
}

int RankGrid::moved(int rank, const std::string& axis, int coordinate_there) const {
  return rank + (coordinate_there - coordinate(rank, axis)) * stride(axis);
}

std::vector<std::vector<int>> RankGrid::groups(const std::vector<std::string>& axes) const {
  std::map<int, std::vector<int>> by_first;  // a group's first rank is at 0 on all of its axes
  for (int rank = 0; rank < ranks(); ++rank) {
    int first = rank;
    for (const std::string& axis : axes) first = moved(first, axis, 0);
    by_first[first].push_back(rank);
  }
  std::vector<std::vector<int>> result;
  result.reserve(by_first.size());
  for (auto& [first, members] : by_first) result.push_back(std::move(members));
  return result;
}

RankGrids rank_grids(const Layout& layout, const Widths& widths) {
  const std::vector<std::string> order = axes_of(layout);
  RankGrids grids{grid(order, {{"tp", widths.tensor},
                               {"cp", widths.context},
                               {"ep", 1},
                               {"dp", widths.data},
                               {"pp", widths.pipeline}}),
                  grid(order, {{"tp", widths.expert_tensor},
                               {"cp", 1},
                               {"ep", widths.expert},
                               {"dp", widths.expert_data},
                               {"pp", widths.pipeline}})};
  if (widths.expert * widths.expert_tensor * widths.expert_data == 1) return grids;
  for (int rank = 0; rank < grids.dense.ranks(); ++rank)
    if (grids.dense.coordinate(rank, "pp") != grids.experts.coordinate(rank, "pp"))
      throw InfeasibleError(
          layout.place, layout.path + "order",
          "'" + layout.order + "' puts rank " + std::to_string(rank) + " into pipeline stage " +
              std::to_string(grids.dense.coordinate(rank, "pp")) + " of the dense part and stage " +
              std::to_string(grids.experts.coordinate(rank, "pp")) + " of the experts");
  return grids;
}

}  // namespace trainyard
