// Dates of traces as seconds: only differences matter, so the origin (1970) does not.
#pragma once

#include <optional>
#include <string_view>

namespace trainyard {

// "2020-06-09 18:41:01", with "T" between, without seconds, and with a zone ("+08:00", "Z") or
// without one (then UTC). Nothing if it is no date of the Gregorian calendar.
std::optional<double> parse_date(std::string_view text);

}  // namespace trainyard
