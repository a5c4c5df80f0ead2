// Pieces of work, such as the points of a sweep, each in a process of its own.
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

// Calls `work` for every piece in a process of its own, as many at a time as the options say.
// `live`: a line of progress on stderr.
using PieceWork = std::function<void(std::size_t piece)>;
void for_each_piece(const RunOptions& options, const std::vector<std::string>& names, bool live,
                    const PieceWork& work);

// Calls `work` for every point in a process of its own, whose `document` has the point's values.
void for_each_point(Document& document, const RunOptions& options,
                    const std::vector<SweepPoint>& points, bool live, const PieceWork& work);

// `trainyard step` on every point, in one table.
void step_sweep(Document& document, const StepOptions& options,
                const std::vector<SweepPoint>& points);

}  // namespace trainyard
