// The commands of `trainyard`: one function each, plain options in. They print to stdout; errors
// are thrown.
#pragma once

#include <string>
#include <vector>

namespace trainyard {

struct RunOptions {
  std::string experiment;             // a file
  std::string output;                 // a directory; results/<name> by default
  std::vector<std::string> settings;  // "key=value"
  bool replace = false;
  bool quiet = false;  // no progress
  int workers = 0;     // of a sweep; 0: as many as there are processors
};

struct PlatformShowOptions {
  std::string platform;  // a file
  std::string svg;       // a file to write; none if empty
  bool replace = false;
};

struct PlatformImportOptions {
  std::vector<std::string> files;
  std::vector<std::string> formats;  // of the files in their order; none: by content
  std::string output;                // a file
  bool replace = false;
  int gpus_per_node = 0, nics_per_node = 0, uplinks = 0;  // 0: not given
  std::string gpu, hosts, network;
  std::string nvlink, nic, link;  // bandwidths as the user wrote them
  std::string latency, nic_latency, nvlink_latency, pcie_latency;
};

struct NcclTestsOptions {
  std::string operation, platform;  // nccl-tests' name; a file
  std::string algorithm;            // "": what NCCL would run, see AlgorithmChooser
  std::string placement = "pack_by_leaf";
  std::string begin = "8", end = "16G";
  int factor = 2;
  int ranks = 0, nodes = 0, gpus_per_node = 0;  // 0: all there are
  std::string csv;                              // a file
  bool explain = false;
};

struct CalibrateOptions {
  std::vector<std::string> logs;
  std::string steps;  // a file of measured steps: then it is efficiencies that are fitted
  std::string platform, output;
  int ranks = 0, nodes = 0;  // where the logs do not say
  bool every_other = false;
};

struct ValidateOptions {
  std::string cases;  // a file, or a YAML file of measured steps; by default the repository's
  std::string logs;   // a folder; by default ${TRAINYARD_DATA}/data/collectives
  std::string platform;
  std::string output;  // a folder
};

struct TraceOptions {
  std::vector<std::string> files;  // or folders, or what the files' names begin with
  std::string format;              // "": by content
  std::string groups;              // a file; none if empty
  int ranks = 0;                   // of the job; 0: as the files say
  bool alike = false;              // ranks without a file do as the first does
};

struct TraceStragglersOptions {
  std::string file;
  std::string csv;  // a file to write; none if empty
};

struct WhatIfOptions {
  RunOptions run;
  std::string job;  // its name; "": every one
  std::string csv;  // a file to write; none if empty
};

struct StepOptions {
  RunOptions run;
  std::string job;             // its name; "": the only one
  std::string json, timeline;  // files to write; none if empty
  std::string csv;             // of a sweep: likewise
};

struct GoldenOptions {
  std::vector<std::string> folders;
  bool all = false;  // print what matches too
};

// Of a run that has been written down.
struct HistoryOptions {
  std::string run;  // its result directory
  std::string job;
  std::string at;  // simulated time; "": the end
};

void explain_command(const HistoryOptions& options);
void queue_command(const HistoryOptions& options);
void nodes_command(const HistoryOptions& options);
void run_command(const RunOptions& options);
void check_command(const RunOptions& options);
void interference_command(const RunOptions& options);
void step_command(const StepOptions& options);
void what_if_command(const WhatIfOptions& options);
void list_command();
void golden_command(const GoldenOptions& options);
void nccl_tests_command(const NcclTestsOptions& options);
void calibrate_command(const CalibrateOptions& options);
void calibrate_steps_command(const CalibrateOptions& options);
void validate_command(const ValidateOptions& options);
void validate_steps_command(const ValidateOptions& options);
void platform_show_command(const PlatformShowOptions& options);
void platform_import_command(const PlatformImportOptions& options);
void trace_show_command(const TraceOptions& options);
void trace_lint_command(const TraceOptions& options);
void trace_stragglers_command(const TraceStragglersOptions& options);

}  // namespace trainyard
