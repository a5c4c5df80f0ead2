// How the groups of a run's jobs fared, for the terminal: the short form of groups.csv.
#pragma once

#include "platforms/platform.hpp"
#include "report/event_log.hpp"

#include <string>

namespace trainyard {

// Of each kind with more than one group, those with the most GPU-seconds; "" if there is none.
std::string group_table(const Platform& platform, const EventLog& log);

}  // namespace trainyard
