// Every format of recorded or written-down training steps. `trainyard list` prints it; a file is
// recognised by its content.
#pragma once

#include "workload/importers/recorded/rank_files.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct TraceFormat {
  const char* name;
  RecordedStep (*read)(const RecordedOptions& options);
  const char* sentence;
};

const std::vector<TraceFormat>& trace_formats();

// By content of the first file; `format` (a name of the table) decides if it is not empty.
RecordedStep read_recorded(const RecordedOptions& options, const std::string& format);

}  // namespace trainyard
