// One line of a Standard Workload Format file as numbers; says nothing about what they are for.
//
// All 18 fields must be there and must be numbers (the format's own rule; some are real numbers in
// real logs, such as an average CPU time of 552.21). -1 is the format's "unknown" and stays -1.
#pragma once

#include "workload/importers/line_reader.hpp"

#include <cstdint>
#include <string_view>

namespace trainyard {

struct SwfRecord {
  std::int64_t job = 0;
  double submit = 0;
  double run_time = -1;
  std::int64_t allocated = -1;
  std::int64_t requested = -1;
  double requested_time = -1;
  std::int64_t status = -1;
  std::int64_t user = -1;
  std::int64_t queue = -1;
};

// `line` is the one that `reader` returned last: errors name its place and the field.
SwfRecord parse_swf_record(std::string_view line, const LineReader& reader);

}  // namespace trainyard
