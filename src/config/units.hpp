// Quantities as text: "64 MiB", "25 GB/s", "400 Gbit/s", "2 us". A bare number is an error.
#pragma once

#include "base/quantity.hpp"

#include <string>
#include <string_view>

namespace trainyard {

// Each returns the quantity, or sets `problem` to a sentence (with the value and what would do) and
// returns zero. Accepted: one number, optional space, one unit.
//   Bytes:     B kB MB GB TB KiB MiB GiB TiB
//   Seconds:   ns us ms s min h d
//   Bandwidth: B/s kB/s MB/s GB/s TB/s KiB/s MiB/s GiB/s, bit/s kbit/s Mbit/s Gbit/s Tbit/s
Bytes parse_bytes(std::string_view text, std::string& problem);
Seconds parse_seconds(std::string_view text, std::string& problem);
Bandwidth parse_bandwidth(std::string_view text, std::string& problem);

// Text that parses back to the same quantity, in the largest unit that keeps it short.
std::string to_text(Bytes size);
std::string to_text(Seconds time);
std::string to_text(Bandwidth rate);

}  // namespace trainyard
