// Changes of a Program that leave its timing as it is: dropping operations that do nothing, and
// joining computations that nothing can tell apart.
//
// Both keep the order of what remains. They expect a Program without a cycle.
#pragma once

#include "workload/program.hpp"

#include <vector>

namespace trainyard {

// What each operation waits for, by index: its `after`, and the one before it on its stream.
std::vector<std::vector<int>> predecessors(const Program& program);

// The program without the operations flagged in `unwanted`: whoever waited for one of them waits
// for what it waited for.
Program without(const Program& program, const std::vector<bool>& unwanted);

// Two computations that follow each other on a stream become one if the second waits for nothing
// else and nothing else waits for the first: "forward_0..backward_23".
Program merge_computations(const Program& program);

}  // namespace trainyard
