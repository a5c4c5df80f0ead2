// How a program of the user's is started, and how long it may think.
#pragma once

#include "base/quantity.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct ProgramCommand {
  std::vector<std::string> words;  // the first is looked for in PATH
  std::string directory = ".";     // where it runs
  Seconds timeout = seconds(10);   // of wall time, for one answer
};

}  // namespace trainyard
