// Traces of GPU clusters that are tables with a header line: which column says what.
//
// A run time is the recorded end minus the recorded start where both are there, because the columns
// called "duration" mean different things in different traces. Rows without a start, without GPUs
// or without a run time are dropped and counted, never invented.
#pragma once

#include "workload/importers/jobs/job_trace.hpp"

#include <string>
#include <vector>

namespace trainyard {

enum class TimeColumns { InSeconds, InMilliseconds, AsDates };

// Names of columns; nullptr: it has none of the kind.
struct CsvJobFormat {
  const char* header;  // word for word
  TimeColumns times;
  const char* id;
  const char* submit;
  const char* duration;  // or start and end
  const char* start;
  const char* end;
  const char* gpus;
  const char* workers;  // that many times `gpus`
  const char* user;
  const char* queue;
  const char* model;
};

JobTrace read_csv_jobs(const std::string& file, const CsvJobFormat& format,
                       const JobTraceOptions& options);

}  // namespace trainyard
