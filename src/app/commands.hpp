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

void run_command(const RunOptions& options);
void check_command(const RunOptions& options);
void interference_command(const RunOptions& options);
void list_command();
void platform_show_command(const std::string& file);
void platform_import_command(const PlatformImportOptions& options);

}  // namespace trainyard
