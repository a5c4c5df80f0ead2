// Values of a workload that must lie within what can be simulated.
#pragma once

#include "config/section.hpp"

#include <string>

namespace trainyard {

// 3,000 years, as for traces: later than that, a double of seconds no longer tells milliseconds.
constexpr Seconds kLongestTime(1e11);

struct IntBounds {
  int at_least, at_most;
};
int bounded_int_or(Section& section, const std::string& key, IntBounds bounds, int fallback);

// At most kLongestTime. An endless default stays legal.
Seconds bounded_seconds(Section& section, const std::string& key);
Seconds bounded_seconds_or(Section& section, const std::string& key, Seconds fallback);
Seconds positive_seconds_or(Section& section, const std::string& key, Seconds fallback);

}  // namespace trainyard
