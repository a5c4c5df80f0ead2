// What was free when, and how large a job could have started there: the fragmentation of a run.
//
// Worked out from the attempts, suspensions and outages of the log. A suspended attempt holds
// nothing, a node that is down has nothing free.
#pragma once

#include "platforms/platform.hpp"
#include "report/event_log.hpp"

#include <vector>

namespace trainyard {

// From `at` until the next one's.
struct Vacancy {
  Seconds at;
  int free = 0;         // GPUs that nobody holds, on nodes that are up: a job of single GPUs
  int whole_nodes = 0;  // of them on nodes that are free as a whole: a job of whole nodes
  int one_leaf = 0;     // of those, under the leaf switch with the most: one that stays under it
};

// In order of time, from zero; the last holds until the end of the run.
std::vector<Vacancy> vacancies(const Platform& platform, const EventLog& log);

// Of the GPU-seconds that were free, the part on nodes that somebody else was using: what a job of
// whole nodes could not have had. Undefined if nothing was ever free.
double fragmentation(const std::vector<Vacancy>& history, Seconds end);

}  // namespace trainyard
