// Orders of a dependency graph, by index.
#pragma once

#include <utility>
#include <vector>

namespace trainyard {

// An order in which each comes after all that it waits for, otherwise as listed. What waits in a
// circle comes at the end, as listed.
std::vector<int> topological_order(const std::vector<std::vector<int>>& after);

// Adds `control` to `data`, but for those (node, waits for) that would close a circle, which are
// returned. A circle among `data` stays.
std::vector<std::pair<int, int>> join_dependencies(std::vector<std::vector<int>>& data,
                                                   const std::vector<std::vector<int>>& control);

}  // namespace trainyard
