// Where the time of a step went, and for whom its ranks waited.
//
// Every instant of a rank's step counts once: as what it computes, or else as the collective that
// is under way (exposed communication), or else as waiting for others to come to one.
//
// INVARIANT: the parts of a waterfall add up to its step.
#pragma once

#include "actors/explain/step_timeline.hpp"
#include "actors/step_model.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Adds what so many seconds of the operation are spent on.
void add_spent(const StepModel& model, const PlayOperation& play, double seconds, TimeSpent& spent);

struct Waterfall {
  TimeSpent spent{};  // seconds a step; mean over ranks where it is a job's
  double step() const;
};

// Of the ranks of one class, and the mean over all ranks of the job.
Waterfall waterfall_of_class(const StepModel& model, const StepTimeline& timeline, int rank_class);
Waterfall waterfall(const StepModel& model, const StepTimeline& timeline);

// Seconds, of all waiting ranks together, that a rank of the class was waited for.
struct WaitedFor {
  int rank_class = 0;
  double seconds = 0;
};
// Most first.
std::vector<WaitedFor> waited_for(const StepModel& model, const StepTimeline& timeline);

// A stretch of the critical path: shortening it shortens the step.
struct PathPart {
  int rank_class = 0, operation = 0;
  double from = 0, to = 0;
};
// In the order of time; the parts follow each other without a gap, over as much of the step as was
// recorded.
std::vector<PathPart> critical_path(const StepModel& model, const StepTimeline& timeline);

}  // namespace trainyard
