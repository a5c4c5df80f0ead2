// Two passes listed one after the other, listed anew so that each hides the other's communication.
#pragma once

#include "workload/program.hpp"

#include <vector>

namespace trainyard {

// Operations [begin, middle) are one pass, [middle, end) the next.
struct SideBySide {
  int begin, middle, end;
};

// A computation of one and what it starts, then one of the other, and so on in turn. The order
// within each pass stays, and dependencies name the same operations as before.
Program side_by_side(Program program, const std::vector<SideBySide>& pairs);

}  // namespace trainyard
