#include "config/bounds.hpp"

namespace trainyard {

void check_bound(const Section& section, const std::string& key, Seconds time) {
  if (time > kLongestTime && time != forever())
    throw section.error(key, "must be at most 1e11 s, about 3,000 years");
}

int bounded_int_or(Section& section, const std::string& key, IntBounds bounds, int fallback) {
  const std::int64_t value = section.integer_or(key, bounds.at_least, fallback);
  if (value > bounds.at_most)
    throw section.error(key, "must be at most " + std::to_string(bounds.at_most) + ", got '" +
                                 std::to_string(value) + "'");
  return static_cast<int>(value);
}

Seconds bounded_seconds(Section& section, const std::string& key) {
  const Seconds time = section.seconds(key);
  check_bound(section, key, time);
  return time;
}

Seconds bounded_seconds_or(Section& section, const std::string& key, Seconds fallback) {
  const Seconds time = section.seconds_or(key, fallback);
  check_bound(section, key, time);
  return time;
}

Seconds positive_seconds_or(Section& section, const std::string& key, Seconds fallback) {
  const Seconds time = bounded_seconds_or(section, key, fallback);
  if (time <= Seconds(0)) throw section.error(key, "must be longer than zero");
  return time;
}

}  // namespace trainyard
