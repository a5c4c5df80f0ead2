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
  bool takes_ranks = false;   // RecordedOptions::ranks: the files may leave open how many there are
  bool takes_groups = false;  // RecordedOptions::groups
};

const std::vector<TraceFormat>& trace_formats();

// By content of the first file; `format` (a name of the table) decides if it is not empty. An
// option that the format has no use for is an InputError.
RecordedStep read_recorded(const RecordedOptions& options, const std::string& format);

}  // namespace trainyard
