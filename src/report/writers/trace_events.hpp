// The timeline as rows: which spans a run has, on which process and track, in the order of time.
//
// A job is a process (pid = JobId + 1: Perfetto keeps pid 0 for the idle task) with one track a
// kind of activity; the outages are the tracks of the process after the last job, one a node and
// one a cable that failed.
//
// INVARIANT: sorted by start; of two that start together the longer comes first, so that a span
// precedes what is nested in it.
#pragma once

#include "report/writers/writers.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

struct TraceEvent {
  std::int64_t start_ns = 0, duration_ns = 0;
  std::int64_t process = 0, track = 0;
  std::string category, name;
  std::string args;  // a JSON object
};
std::vector<TraceEvent> trace_events(const Report& report);

std::int64_t failures_process(const EventLog& log);
std::int64_t cable_track(const Report& report, LinkId link);
std::string failure_title(const Report& report, std::int64_t track);  // of the failures' tracks
std::string track_title(std::int64_t track);                          // of a job's track

// The text as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const std::string& text);

}  // namespace trainyard
