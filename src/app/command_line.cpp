#include "app/command_line.hpp"

#include "app/command_line_parts.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/simulation.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace trainyard {

namespace {

const char* const kExitCodes =
    "Exit codes:\n"
    "  0      done\n"
    "  1      validate: a case is outside its band; golden: decided otherwise than expected\n"
    "  2      a file or an argument is wrong\n"
    "  3      every file is legal and the plan is impossible\n"
    "  4      the simulated world is stuck\n"
    "  5      the program of policy 'process' failed\n"
    "  70     a bug of Trainyard's\n"
    "  128+n  ended by signal n; nothing is left behind\n"
    "Errors go to stderr: file:line:column: key: problem";

void add_experiment(CLI::App& command, RunOptions& options) {
  command.add_option("experiment", options.experiment, "the experiment's YAML file")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--set", options.settings,
                  "replace a value before anything is read, as in --set scheduler.policy=fifo")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_workers(CLI::App& command, RunOptions& options) {
  command
      .add_option("-j,--workers", options.workers,
                  "processes for its runs (default: one per processor)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 4096));
}

void add_run(CLI::App& app, CommandLine& line) {
  CLI::App& run = *app.add_subcommand("run", "run an experiment, or every point of its sweep");
  add_experiment(run, line.options);
  run.add_option("-o,--output", line.options.output,
                 "result directory (default: results/<the experiment's name>)")
      ->type_name("DIRECTORY");
  add_workers(run, line.options);
  run.add_flag("--replace", line.options.replace, "replace an earlier result in that directory");
  run.add_flag("-q,--quiet", line.options.quiet, "no progress line on a terminal");
  run.callback([&line] { line.command = [](const CommandLine& l) { run_command(l.options); }; });
}

void add_check(CLI::App& app, CommandLine& line) {
  CLI::App& check = *app.add_subcommand(
      "check", "read an experiment and print it with every default, and what it would run");
  add_experiment(check, line.options);
  check.callback(
      [&line] { line.command = [](const CommandLine& l) { check_command(l.options); }; });
}

void add_interference(CLI::App& app, CommandLine& line) {
  CLI::App& command = *app.add_subcommand(
      "interference", "place an experiment's jobs side by side and print who slows whom");
  add_experiment(command, line.options);
  command.add_option("-o,--output", line.options.output, "also write every pair to this CSV file")
      ->type_name("FILE");
  command.callback(
      [&line] { line.command = [](const CommandLine& l) { interference_command(l.options); }; });
}

void add_what_if(CLI::App& app, CommandLine& line) {
  CLI::App& command = *app.add_subcommand(
      "whatif", "run an experiment again without one cause at a time: what each costs every job");
  add_experiment(command, line.what_if.run);
  command.add_option("--job", line.what_if.job, "only this one (default: every job)")
      ->type_name("NAME");
  command.add_option("--csv", line.what_if.csv, "also write the table to this file")
      ->type_name("FILE");
  add_workers(command, line.what_if.run);
  command.add_flag("-q,--quiet", line.what_if.run.quiet, "no progress line on a terminal");
  command.callback(
      [&line] { line.command = [](const CommandLine& l) { what_if_command(l.what_if); }; });
}

void add_step(CLI::App& app, CommandLine& line) {
  CLI::App& command = *app.add_subcommand(
      "step", "explain one step of a job; of a sweep, compare the steps of all its points");
  add_experiment(command, line.step.run);
  command.add_option("--job", line.step.job, "which job (default: the only one)")
      ->type_name("NAME");
  command.add_option("--json", line.step.json, "also write the explanation to this file")
      ->type_name("FILE");
  command
      .add_option("--timeline", line.step.timeline,
                  "also write the step as a timeline that opens in Perfetto")
      ->type_name("FILE");
  command.add_option("--csv", line.step.csv, "of a sweep: also write its table to this file")
      ->type_name("FILE");
  add_workers(command, line.step.run);
  command.callback([&line] { line.command = [](const CommandLine& l) { step_command(l.step); }; });
}

void add_list(CLI::App& app, CommandLine& line) {
  app.add_subcommand("list", "every topology, algorithm, policy, placement and metric there is")
      ->callback([&line] { line.command = [](const CommandLine& /*line*/) { list_command(); }; });
}

// CLI11 calls a misspelt command an unexpected argument; this says what would do.
void check_command_name(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  for (const std::string& name : names)
    if (name == argv[1]) return;
  throw InputError({}, "",
                   "unknown command '" + std::string(argv[1]) + "'" + suggestion(argv[1], names));
}

std::string message(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* command = app;
  std::string names = app->get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    names += " " + command->get_name();
  }
  return "trainyard: " + std::string(error.what()) + "; see '" + names + " --help'\n";
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app(
      "Simulates GPU training clusters: fabric, training jobs and scheduler in one closed loop.",
      "trainyard");
  CommandLine line;
  add_run(app, line);
  add_check(app, line);
  add_interference(app, line);
  add_what_if(app, line);
  add_step(app, line);
  add_list(app, line);
  add_platform_commands(app, line);
  add_measurement_commands(app, line);
  add_trace_commands(app, line);
  add_slurm_commands(app, line);
  add_history_commands(app, line);
  app.require_subcommand(1);
  app.footer(kExitCodes);
  app.set_version_flag("--version",
                       "trainyard " TRAINYARD_VERSION ", SimGrid " + Simulation::engine_version());
  app.failure_message(message);
  check_command_name(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  line.command(line);
  return 0;
}

}  // namespace trainyard
