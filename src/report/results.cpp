#include "report/results.hpp"

#include "report/fingerprint.hpp"
#include "report/staged_directory.hpp"
#include "report/writers/writers.hpp"

namespace trainyard {

namespace {

struct ResultFile {
  const char* name;
  void (*write)(const Report& report, std::ostream& out);
};

// Every file of a result directory.
constexpr ResultFile kFiles[] = {
    {"experiment.yaml", write_experiment_yaml},
    {"jobs.csv", write_jobs_csv},
    {"links.csv", write_links_csv},
    {"iterations.csv", write_iterations_csv},
    {"ledger.csv", write_ledger_csv},
    {"groups.csv", write_groups_csv},
    {"fragmentation.csv", write_fragmentation_csv},
    {"sacct.txt", write_sacct_txt},
    {"jobs.swf", write_jobs_swf},
    {"decisions.jsonl", write_decisions_jsonl},
    {"run.log", write_run_log},
    {"summary.json", write_summary_json},
};
constexpr ResultFile kSteps = {"steps.json", write_steps_json};
constexpr ResultFile kLinkHistory = {"link_utilisation.csv", write_link_utilisation_csv};
constexpr ResultFile kTimeline = {"trace.json", write_trace_json};

void write(const ResultFile& file, const Report& report, StagedDirectory& directory) {
  directory.write(file.name, [&](std::ostream& out) { file.write(report, out); });
}

}  // namespace

void write_results(const Platform& platform, const EventLog& log, const RunInfo& info,
                   const std::string& directory, const WriteOptions& options) {
  check_destination(directory, options);
  const Report report{platform, log, info};
  StagedDirectory staged(directory, hexadecimal(fingerprint(log)));
  for (const ResultFile& file : kFiles) write(file, report, staged);
  if (!log.steps.empty()) write(kSteps, report, staged);
  if (log.link_history.is_kept()) write(kLinkHistory, report, staged);
  if (options.timeline) write(kTimeline, report, staged);
  staged.commit();
}

void check_destination(const std::string& directory, const WriteOptions& options) {
  check_replaceable(directory, options.replace);
}

}  // namespace trainyard
