// The command lines of `trainyard nccl-tests`, `calibrate` and `validate`.

#include "app/command_line_parts.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace trainyard {

namespace {

bool is_step_file(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".yaml" || ending == ".yml";
}

void add_communicator(CLI::App& command, NcclTestsOptions& options) {
  command.add_option("-n,--ranks", options.ranks, "ranks (default: nodes x GPUs per node)")
      ->type_name("COUNT")
      ->check(CLI::Range(2, 1 << 20));
  command.add_option("-N,--nodes", options.nodes, "nodes (default: all, or as few as hold -n)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("-g,--gpus-per-node", options.gpus_per_node, "ranks on each (default: all)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--placement", options.placement, "one of 'trainyard list' (pack_by_leaf)")
      ->type_name("NAME");
}

void add_nccl_tests(CLI::App& app, CommandLine& line) {
  NcclTestsOptions& options = line.nccl_tests;
  CLI::App& command = *app.add_subcommand(
      "nccl-tests", "a collective over a sweep of sizes, in nccl-tests' own columns");
  command.add_option("operation", options.operation, "all_reduce, all_gather, alltoall, ...")
      ->type_name("OPERATION")
      ->required();
  command.add_option("--platform", options.platform, "the platform's XML file")
      ->type_name("FILE")
      ->required();
  add_communicator(command, options);
  command.add_option("-b,--minbytes", options.begin, "smallest size (8)")->type_name("SIZE");
  command.add_option("-e,--maxbytes", options.end, "largest size (16G)")->type_name("SIZE");
  command.add_option("-f,--stepfactor", options.factor, "factor between sizes (2)")
      ->type_name("FACTOR")
      ->check(CLI::Range(2, 1024));
  command
      .add_option("--algorithm", options.algorithm,
                  "one of 'trainyard list' (default: the calibrated one, or the tuner's)")
      ->type_name("NAME");
  command.add_flag("--explain", options.explain,
                   "below the table, why each algorithm, and what the best would have been");
  command.add_option("--csv", options.csv, "also write the table to this file")->type_name("FILE");
  command.callback(
      [&line] { line.command = [](const CommandLine& l) { nccl_tests_command(l.nccl_tests); }; });
}

void add_calibrate(CLI::App& app, CommandLine& line) {
  CalibrateOptions& options = line.calibrate;
  CLI::App& command = *app.add_subcommand(
      "calibrate", "fit collectives to nccl-tests logs, or a GPU's kernels to step times");
  CLI::Option* logs = command.add_option(
      "logs", options.logs,
      "logs of nccl-tests, or tables like theirs; LOG@LINE takes one sweep of several");
  logs->type_name("LOG");
  CLI::Option* platform =
      command.add_option("--platform", options.platform, "the platform's XML file");
  platform->type_name("FILE");
  command
      .add_option("--steps", options.steps,
                  "instead of logs, a file of measured steps; its rows of role 'calibrate' count")
      ->type_name("FILE")
      ->excludes(logs)
      ->excludes(platform);
  command.add_option("-o,--output", options.output, "where the calibration goes (CSV)")
      ->type_name("FILE");
  command.add_option("--ranks", options.ranks, "of logs that do not say")
      ->type_name("COUNT")
      ->check(CLI::Range(2, 1 << 20));
  command.add_option("--nodes", options.nodes, "of logs that do not say")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1 << 20));
  command.add_flag("--every-other", options.every_other,
                   "fit on powers of four only and report the other sizes as held out");
  command.callback([&line] {
    line.command = [](const CommandLine& l) {
      l.calibrate.steps.empty() ? calibrate_command(l.calibrate)
                                : calibrate_steps_command(l.calibrate);
    };
  });
}

void add_validate(CLI::App& app, CommandLine& line) {
  ValidateOptions& options = line.validate;
  CLI::App& command = *app.add_subcommand(
      "validate", "every oracle and every measured table against the simulator, with its band");
  command
      .add_option(
          "--cases", options.cases,
          "the table of cases (default: the repository's), or a .yaml file of measured steps "
          "of training")
      ->type_name("FILE");
  command
      .add_option("--logs", options.logs,
                  "the folder of the logs (default: data/collectives of TRAINYARD_DATA); with "
                  "--platform, your own")
      ->type_name("DIRECTORY");
  command.add_option("--platform", options.platform, "compare all of --logs with this platform")
      ->type_name("FILE");
  command.add_option("-o,--output", options.output, "also write CSV and Markdown there")
      ->type_name("DIRECTORY");
  command.callback([&line] {
    line.command = [](const CommandLine& l) {
      is_step_file(l.validate.cases) ? validate_steps_command(l.validate)
                                     : validate_command(l.validate);
    };
  });
}

}  // namespace

void add_measurement_commands(CLI::App& app, CommandLine& line) {
  add_nccl_tests(app, line);
  add_calibrate(app, line);
  add_validate(app, line);
}

}  // namespace trainyard
