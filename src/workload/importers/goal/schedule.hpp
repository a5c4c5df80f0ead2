// GOAL (LogGOPSim's and ATLAHS's schedules) as text, all ranks in one file.
//
// `calc` is nanoseconds on its cpu, whose calculations run one at a time, as listed. A send and the
// receive that it meets, first with first by sender, receiver and tag, are one transfer; above
// 65,535 bytes (LogGOPSim's S) it starts when both have come to it, otherwise when the sender has.
// `a requires b`: a waits for the end of b. `a irequires b`: a waits for what b waits for.
//
// Wildcards (tag -1, from -1), labels that are unknown or double, ranks beyond num_ranks and
// whatever is not a statement are errors with line and column of the line.
#pragma once

#include "workload/importers/recorded/rank_files.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

RecordedStep read_goal(const RecordedOptions& options);

}  // namespace trainyard
