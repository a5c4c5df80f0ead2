// The attempts of a log by the job they belong to.
#pragma once

#include "report/event_log.hpp"

#include <vector>

namespace trainyard {

// By JobId, the attempts in their order.
std::vector<std::vector<const AttemptRecord*>> attempts_by_job(const EventLog& log);

}  // namespace trainyard
