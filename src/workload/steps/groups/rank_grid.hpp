// RankGrid: which part of the work each rank has, in Megatron's order of parallel dimensions.
//
// There are two grids over the same ranks: tensor x context x data x pipeline for the dense part,
// expert tensor x expert x expert data x pipeline for experts.
#pragma once

#include "workload/steps/widths.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct Axis {
  std::string name;  // "tp", "cp", "ep", "dp", "pp"
  int width = 1;
};

class RankGrid {
public:
  explicit RankGrid(std::vector<Axis> axes) : axes_(std::move(axes)) {}
  int ranks() const;
  int coordinate(int rank, const std::string& axis) const;

  // Every group of ranks that differ in nothing but the named axes, in rank order.
  std::vector<std::vector<int>> groups(const std::vector<std::string>& axes) const;

  // The rank with another coordinate on one axis.
  int moved(int rank, const std::string& axis, int coordinate) const;

private:
  int stride(const std::string& axis) const;
  int width(const std::string& axis) const;
  std::vector<Axis> axes_;  // the first changes fastest
};

// Throws InfeasibleError if `order` does not name the axes, or puts a rank into one pipeline stage
// for the dense part and another for experts.
struct RankGrids {
  RankGrid dense, experts;
};
RankGrids rank_grids(const Layout& layout, const Widths& widths);

}  // namespace trainyard
