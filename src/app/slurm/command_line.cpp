// The command line of `trainyard golden`.

#include "app/command_line_parts.hpp"

#include <CLI/CLI.hpp>

namespace trainyard {

void add_slurm_commands(CLI::App& app, CommandLine& line) {
  GoldenOptions& options = line.golden;
  CLI::App& command = *app.add_subcommand(
      "golden", "replay what a real Slurm did and compare every decision with it");
  command
      .add_option("folder", options.folders,
                  "a scenario (slurm.conf, jobs.csv, observed/...), or a folder of scenarios")
      ->type_name("DIR")
      ->required();
  command.add_flag("--all", options.all, "also print the scenarios that match, run by run");
  command.callback(
      [&line] { line.command = [](const CommandLine& l) { golden_command(l.golden); }; });
}

}  // namespace trainyard
