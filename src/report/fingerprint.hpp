// The fingerprint of a run: two runs that did the same things at the same times have the same one.
#pragma once

#include "report/event_log.hpp"

#include <cstdint>
#include <string>

namespace trainyard {

// FNV-1a (64 bits) over what happened and when: submissions, attempts, steps and outages, in the
// order of time. Names, causes, warnings and derived numbers do not enter, so renaming a job moves
// no golden value; a start that moves by one bit of a double does.
std::uint64_t fingerprint(const EventLog& log);

std::string hexadecimal(std::uint64_t value);  // 16 digits

}  // namespace trainyard
