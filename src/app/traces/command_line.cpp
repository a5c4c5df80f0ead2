// The command line of `trainyard trace`.

#include "app/command_line_parts.hpp"

#include <CLI/CLI.hpp>

namespace trainyard {

namespace {

void add_stragglers(CLI::App& trace, CommandLine& line) {
  TraceStragglersOptions& options = line.trace_stragglers;
  CLI::App& command = *trace.add_subcommand(
      "stragglers", "what stragglers cost a recorded job, and where they are (S, M_W, M_S)");
  command
      .add_option("file", options.file,
                  "a timeline of ByteDance's straggler traces (.json or .json.gz)")
      ->type_name("FILE")
      ->required();
  command.add_option("--csv", options.csv, "also write every step's slowdown to this file")
      ->type_name("FILE");
  command.callback([&line] {
    line.command = [](const CommandLine& l) { trace_stragglers_command(l.trace_stragglers); };
  });
}

}  // namespace

void add_trace_commands(CLI::App& app, CommandLine& line) {
  CLI::App& trace = *app.add_subcommand("trace", "look at recorded training steps");
  trace.require_subcommand(1);
  add_stragglers(trace, line);
}

}  // namespace trainyard
