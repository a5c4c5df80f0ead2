// Two passes listed one after the other, listed anew so that each hides the other's communication.
#pragma once

#include "workload/program.hpp"

#include <vector>

namespace trainyard {

// Operations [begin, middle) are one pass, [middle, end) the next.
struct SideBySide {
  int begin, middle, end;
};

// A computation of the second and what it starts, then one of the first, and so on in turn. A
// backward pass, second, thus computes experts while the forward pass dispatches, and attention
// while it combines (arXiv 2412.19437, figure 4). The order within each pass stays, and
// dependencies name the same operations as before.
Program side_by_side(Program program, const std::vector<SideBySide>& pairs);

}  // namespace trainyard
