// The command line of `trainyard platform`.

#include "app/command_line_parts.hpp"

#include <CLI/CLI.hpp>

namespace trainyard {

namespace {

const char* const kImportFooter =
    "A node's file (NCCL's topology XML) and a fabric's file (ibnetdiscover, Slurm's "
    "topology.conf,\n"
    "Lingjun's topo.csv) are joined: every host of the fabric is such a node, and NIC i of the "
    "node is\n"
    "the i-th adapter of the host. One of the two may be missing. What the files leave open, the\n"
    "options say; an option that contradicts a file is an error. Formats are recognised by "
    "content.\n\n"
    "Examples:\n"
    "  trainyard platform import node.xml fabric.out -o site.xml\n"
    "  trainyard platform import fabric.out --gpus-per-node 8 --gpu h100 -o site.xml\n"
    "  trainyard platform import topology.conf --gpus-per-node 8 --gpu h100 --link '400 Gbit/s'\n"
    "                            --uplinks 4 -o site.xml";

void add_show(CLI::App& platform, CommandLine& line) {
  PlatformShowOptions& options = line.show;
  CLI::App& show = *platform.add_subcommand(
      "show", "the switch tree, capacities and links of a platform; with --svg, a picture of it");
  show.add_option("platform", options.platform, "the platform's XML file")
      ->type_name("FILE")
      ->required();
  show.add_option("--svg", options.svg, "also draw it: levels as rows, alike parts counted")
      ->type_name("FILE");
  show.add_flag("--replace", options.replace, "replace that picture if it is there");
  show.callback(
      [&line] { line.command = [](const CommandLine& l) { platform_show_command(l.show); }; });
}

void add_node_options(CLI::App& import, PlatformImportOptions& options) {
  import
      .add_option("--gpus-per-node", options.gpus_per_node, "GPUs of a node, without a node's file")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1024));
  import
      .add_option("--nics-per-node", options.nics_per_node,
                  "NICs of a node, without a node's file (default: the fabric file's adapters, or "
                  "one a GPU)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1024));
  import.add_option("--gpu", options.gpu, "the GPU, for its NVLink: a100, h100, b200 ...")
      ->type_name("NAME");
  import.add_option("--nvlink", options.nvlink, "NVLink of a GPU, one direction, as in '450 GB/s'")
      ->type_name("RATE");
  import
      .add_option("--nic", options.nic,
                  "a NIC's rate, where no file says it (default: its cable's)")
      ->type_name("RATE");
}

void add_fabric_options(CLI::App& import, PlatformImportOptions& options) {
  import
      .add_option("--link", options.link,
                  "a cable's rate, where the fabric's file does not say it, as in '400 Gbit/s'")
      ->type_name("RATE");
  import
      .add_option("--uplinks", options.uplinks,
                  "cables between a switch and each one above it, likewise")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1024));
  import.add_option("--hosts", options.hosts, "these hosts only, as in 'gpu[001-128]'")
      ->type_name("HOSTLIST");
  import.add_option("--network", options.network, "what the network is, where no file says it")
      ->type_name("NAME")
      ->check(CLI::IsMember({"infiniband", "roce", "efa", "slingshot"}));
  import.add_option("--latency", options.latency, "to leave a switch (default: 130 ns, assumed)")
      ->type_name("TIME");
  import
      .add_option("--nic-latency", options.nic_latency,
                  "of a NIC, each end (default: 0.5 us, assumed)")
      ->type_name("TIME");
  import
      .add_option("--nvlink-latency", options.nvlink_latency,
                  "of an NVLink (default: 0.5 us, assumed)")
      ->type_name("TIME");
  import
      .add_option("--pcie-latency", options.pcie_latency,
                  "of a PCIe link (default: 0.25 us, assumed)")
      ->type_name("TIME");
}

void add_import(CLI::App& platform, CommandLine& line) {
  PlatformImportOptions& options = line.import;
  CLI::App& import =
      *platform.add_subcommand("import", "make a platform file from a site's own files");
  import.add_option("files", options.files, "a node's file, a fabric's file, or one of each")
      ->type_name("FILE")
      ->required()
      ->expected(1, 2);
  import.add_option("-o,--output", options.output, "the platform file to write")
      ->type_name("FILE")
      ->required();
  import.add_flag("--replace", options.replace, "replace that file if it is there");
  import
      .add_option("--format", options.formats,
                  "the format of the first file, again for the second (default: by content)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_node_options(import, options);
  add_fabric_options(import, options);
  import.footer(kImportFooter);
  import.callback(
      [&line] { line.command = [](const CommandLine& l) { platform_import_command(l.import);
};
}  // namespace
);
}  // namespace trainyard

}  // namespace

void add_platform_commands(CLI::App& app, CommandLine& line) {
  CLI::App& platform =
      *app.add_subcommand("platform", "look at platforms, or import one from a site's files");
  platform.require_subcommand(1);
  add_show(platform, line);
  add_import(platform, line);
}

}  // namespace trainyard
