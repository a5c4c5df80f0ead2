// The points of a sweep, each read or run in a process of its own.
#pragma once

#include "app/commands.hpp"
#include "study/experiment.hpp"
#include "study/sweep.hpp"

#include <functional>
#include <string>
#include <vector>

namespace trainyard {

// Reads every point, so that the last one's mistake does not come after the others' hours of
// simulation.
void check_points(Document& document, const RunOptions& options,
                  const std::vector<SweepPoint>& points);

// Calls `work` for every point in a process of its own, whose `document` has the point's values.
// `live`: a line of progress on stderr.
using PointWork = std::function<void(std::size_t point)>;
void for_each_point(Document& document, const RunOptions& options,
                    const std::vector<SweepPoint>& points, bool live, const PointWork& work);

// `trainyard step` on every point, in one table.
void step_sweep(Document& document, const StepOptions& options,
                const std::vector<SweepPoint>& points);

}  // namespace trainyard
