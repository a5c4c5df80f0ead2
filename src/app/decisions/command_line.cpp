// The command lines of `trainyard explain`, `queue` and `nodes`.

#include "app/command_line_parts.hpp"

#include <CLI/CLI.hpp>

namespace trainyard {

namespace {

CLI::App& add_run_command(CLI::App& app, HistoryOptions& options, const char* name,
                          const char* sentence) {
  CLI::App& command = *app.add_subcommand(name, sentence);
  command.add_option("run", options.run, "a run's result directory")
      ->type_name("DIRECTORY")
      ->required();
  return command;
}

void add_time(CLI::App& command, HistoryOptions& options) {
  command.add_option("--at", options.at, "simulated time, as in '2 h' (default: the end)")
      ->type_name("TIME");
}

}  // namespace

void add_history_commands(CLI::App& app, CommandLine& line) {
  HistoryOptions& options = line.history;
  CLI::App& explain =
      add_run_command(app, options, "explain",
                      "tell the life of a job: why it waited, who was ahead, where it went");
  explain.add_option("job", options.job, "its name")->type_name("JOB")->required();
  explain.callback(
      [&line] { line.command = [](const CommandLine& l) { explain_command(l.history); }; });
  CLI::App& queue =
      add_run_command(app, options, "queue", "the queue of a run, as squeue shows it");
  add_time(queue, options);
  queue.callback(
      [&line] { line.command = [](const CommandLine& l) { queue_command(l.history); }; });
  CLI::App& nodes =
      add_run_command(app, options, "nodes", "the nodes of a run, as sinfo shows them");
  add_time(nodes, options);
  nodes.callback(
      [&line] { line.command = [](const CommandLine& l) { nodes_command(l.history); }; });
}

}  // namespace trainyard
