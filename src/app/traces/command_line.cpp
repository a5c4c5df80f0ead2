// The command line of `trainyard trace`.

#include "app/command_line_parts.hpp"

#include <CLI/CLI.hpp>

namespace trainyard {

namespace {

void add_files(CLI::App& command, TraceOptions& options) {
  command
      .add_option("files", options.files,
                  "one a rank: files, a folder, or what the files' names begin with")
      ->type_name("FILE")
      ->required();
  command.add_option("--format", options.format, "one of 'trainyard list' (default: by content)")
      ->type_name("NAME");
  command
      .add_option("--groups", options.groups,
                  "who is in which group, where the trace only names them: {\"dp\": [0, 1]}")
      ->type_name("FILE");
  command.add_option("--ranks", options.ranks, "of the job (default: as the files say)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1 << 20));
  command.add_flag(
      "--alike", options.alike,
      "ranks without a file do as the first one does, if all groups are the whole job");
}

void add_show(CLI::App& trace, CommandLine& line) {
  CLI::App& command = *trace.add_subcommand(
      "show", "what a recorded step holds: ranks, times, bytes by group and collective");
  add_files(command, line.trace);
  command.callback(
      [&line] { line.command = [](const CommandLine& l) { trace_show_command(l.trace); }; });
}

void add_lint(CLI::App& trace, CommandLine& line) {
  CLI::App& command = *trace.add_subcommand(
      "lint", "what is wrong with a recorded step, and where; exit code 2 if it cannot run");
  add_files(command, line.trace);
  command.callback(
      [&line] { line.command = [](const CommandLine& l) { trace_lint_command(l.trace); }; });
}

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
  add_show(trace, line);
  add_lint(trace, line);
  add_stragglers(trace, line);
}

}  // namespace trainyard
