// Who was treated worse than whom: overtaking, evenness among users, and preemptions that follow
// from preemptions.
#pragma once

#include "report/event_log.hpp"
#include "report/job_times.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

// Jobs that started after one of the same priority which was submitted later. One that never
// started counts if any such job did.
std::int64_t overtaken(const EventLog& log, const std::vector<JobTimes>& jobs);

// Jain's index of the users' mean bounded slowdowns: 1 when all wait alike in proportion to what
// they ran, 1/n when one of n bears it all. Undefined with fewer than two users that completed
// jobs.
double evenness_among_users(const EventLog& log, const std::vector<JobTimes>& jobs);

// The longest chain of preemptions in which each victim had preempted the victim before it: 1 for a
// preemption that follows from no other, 0 if there was none.
int longest_cascade(const EventLog& log);

}  // namespace trainyard
