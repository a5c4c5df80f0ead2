// What the parts of the command line share: the options read, and the command that they ask for.
#pragma once

#include "app/commands.hpp"

namespace CLI {
class App;
}

namespace trainyard {

struct CommandLine {
  RunOptions options;
  PlatformShowOptions show;
  PlatformImportOptions import;
  NcclTestsOptions nccl_tests;
  CalibrateOptions calibrate;
  ValidateOptions validate;
  StepOptions step;
  WhatIfOptions what_if;
  TraceOptions trace;
  TraceStragglersOptions trace_stragglers;
  GoldenOptions golden;
  HistoryOptions history;
  void (*command)(const CommandLine&) = nullptr;
};

// `trainyard platform show` and `trainyard platform import`.
void add_platform_commands(CLI::App& app, CommandLine& line);
// `trainyard nccl-tests`, `calibrate` and `validate`.
void add_measurement_commands(CLI::App& app, CommandLine& line);

// `trainyard trace ...`.
void add_trace_commands(CLI::App& app, CommandLine& line);

// `trainyard explain`, `queue` and `nodes`.
void add_history_commands(CLI::App& app, CommandLine& line);

// `trainyard golden`.
void add_slurm_commands(CLI::App& app, CommandLine& line);

}  // namespace trainyard
