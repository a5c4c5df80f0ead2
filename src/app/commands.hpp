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

void run_command(const RunOptions& options);
void check_command(const RunOptions& options);
void interference_command(const RunOptions& options);
void list_command();
void platform_show_command(const std::string& file);

}  // namespace trainyard
