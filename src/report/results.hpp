// What a finished run is written from: the log and what gives its ids their names.
#pragma once

#include "platforms/platform.hpp"
#include "report/event_log.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace trainyard {

struct RunInfo {
  std::string question;
  std::string experiment;  // name
  std::map<std::string, std::string>
      facts;  // model, routing, policy, placement, seed, versions, ...
  std::map<std::string, std::int64_t>
      counts;  // lines dropped on import, by reason; kills at the limit, ...
  std::string resolved_yaml;
};

// Writes the whole result directory, or nothing: everything goes to a temporary sibling directory
// that is renamed at the end. Throws InputError if the directory exists (unless `replace`) or
// cannot be written. Only an empty directory or an earlier result is ever replaced.
//   summary.json jobs.csv links.csv iterations.csv ledger.csv groups.csv fragmentation.csv
//   sacct.txt jobs.swf trace.json experiment.yaml run.log link_utilisation.csv, if the experiment
//   asks for it
struct WriteOptions {
  bool replace = false;
  bool timeline = true;  // trace.json
};
void write_results(const Platform& platform, const EventLog& log, const RunInfo& info,
                   const std::string& directory, const WriteOptions& options);

// Throws what write_results() would throw about the place itself; to be asked before an hour of
// simulation rather than after it. Changes nothing.
void check_destination(const std::string& directory, const WriteOptions& options);

}  // namespace trainyard
