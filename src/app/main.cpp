// trainyard: parses the command line, calls one command, and turns errors into messages and exit
// codes.

#include "app/commands.hpp"
#include "base/error.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

namespace {

void add_experiment(CLI::App& command, trainyard::RunOptions& options) {
  command.add_option("experiment", options.experiment, "the experiment's YAML file")->required();
  command
      .add_option("--set", options.settings, "replace a value, as in --set scheduler.policy=fifo")
      ->allow_extra_args(false);
}

int dispatch(int argc, char** argv) {
  CLI::App app(
      "Simulates GPU training clusters: fabric, training jobs and scheduler in one closed loop.");
  app.require_subcommand(1);
  trainyard::RunOptions options;

  CLI::App& run = *app.add_subcommand("run", "run an experiment, or every point of its sweep");
  add_experiment(run, options);
  run.add_option("-o,--output", options.output,
                 "result directory (default: results/<experiment's name>)");
  run.add_option("-j,--workers", options.workers,
                 "processes for a sweep (default: one per processor)");
  run.add_flag("--replace", options.replace, "replace an earlier result in that directory");
  run.add_flag("-q,--quiet", options.quiet, "no progress line");

  CLI::App& check = *app.add_subcommand("check", "read an experiment and say what it would run");
  add_experiment(check, options);

  const CLI::App& list =
      *app.add_subcommand("list", "every topology, algorithm, policy and metric there is");

  CLI::App& platform = *app.add_subcommand("platform", "look at platforms");
  platform.require_subcommand(1);
  CLI::App& show =
      *platform.add_subcommand("show", "counts, links, oversubscription and bisection");
  std::string platform_file;
  show.add_option("platform", platform_file, "the platform's XML file")->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return 2;
  }
  if (run) return trainyard::run_command(options);
  if (check) return trainyard::check_command(options);
  if (list) return trainyard::list_command();
  return trainyard::platform_show_command(platform_file);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a full disk is an error message, not a signal
  try {
    return dispatch(argc, argv);
  } catch (const trainyard::Error& error) {
    std::cerr << "trainyard: " << error.what() << '\n';
    return error.exit_code();
  } catch (const std::exception& error) {
    std::cerr << "trainyard: internal error: " << error.what() << '\n';
    return 70;
  }
}
