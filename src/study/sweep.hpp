// A sweep: one experiment file, a grid of values, one run and one process per point.
//
// `sweep: {platform.oversubscription: [1, 2, 4], seed: [1, 2]}`: the last key varies fastest.
#pragma once

#include "config/section.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

struct SweepPoint {
  std::vector<std::pair<std::string, std::string>> settings;  // dotted path and value
  std::string label() const;                        // "platform.oversubscription=2 seed=1"
  std::string directory(std::size_t number) const;  // "03__platform.oversubscription=2__seed=1"
};

// The points of the document's `sweep`, which is taken out of it; none if there is no sweep.
std::vector<SweepPoint> take_sweep(Document& document);

// Runs `work(point)` in a child process each, at most `workers` at a time. Calls `done(count)`
// after each. Returns the exit code of the first point, in order, that failed; 0 if all succeeded.
int run_points(std::size_t points, int workers, const std::function<int(std::size_t)>& work,
               const std::function<void(std::size_t)>& done);

}  // namespace trainyard
