// The writers: one function a file of the result directory, each from the log to a stream.
//
// A writer is deterministic: fixed columns, fixed number formats, "\n", no clock and no host name.
// It does not care where the stream leads; src/report/results opens and checks the files.
#pragma once

#include "report/results.hpp"

#include <iosfwd>

namespace trainyard {

// What a writer writes from. It refers to its parts and outlives none of them.
struct Report {
  const Platform& platform;
  const EventLog& log;
  const RunInfo& info;
};

void write_summary_json(const Report& report, std::ostream& out);
void write_jobs_csv(const Report& report, std::ostream& out);
void write_links_csv(const Report& report, std::ostream& out);
void write_link_utilisation_csv(const Report& report, std::ostream& out);
void write_iterations_csv(const Report& report, std::ostream& out);
void write_groups_csv(const Report& report, std::ostream& out);
void write_fragmentation_csv(const Report& report, std::ostream& out);
void write_sacct_txt(const Report& report, std::ostream& out);
void write_jobs_swf(const Report& report, std::ostream& out);
void write_steps_json(const Report& report, std::ostream& out);
void write_ledger_csv(const Report& report, std::ostream& out);
void write_decisions_jsonl(const Report& report, std::ostream& out);
void write_trace_json(const Report& report, std::ostream& out);
void write_experiment_yaml(const Report& report, std::ostream& out);
void write_run_log(const Report& report, std::ostream& out);

}  // namespace trainyard
