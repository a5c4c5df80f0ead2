// Values of an experiment that must lie within what can be simulated.
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

// Throws, at `key`, if it is more than kLongestTime. forever() is not: it is no number of seconds.
void check_bound(const Section& section, const std::string& key, Seconds time);
Seconds bounded_seconds(Section& section, const std::string& key);
Seconds bounded_seconds_or(Section& section, const std::string& key, Seconds fallback);
Seconds positive_seconds_or(Section& section, const std::string& key, Seconds fallback);

}  // namespace trainyard
