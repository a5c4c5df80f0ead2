// Runs work in a child process and measures what the whole of it took.
#pragma once

#include "rows/row.hpp"

#include <string>

namespace trainyard::bench {

struct Measured {
  double cpu_s = 0;   // of the child and its children, without what the row does not count
  double wall_s = 0;  // from the fork to the end of the work
  double rss_mb = 0;  // largest resident set, MB = 10^6 bytes
  double simulated_s = 0;
  double events = 0;
  std::string note, absent;
};

// Throws std::runtime_error if the child fails, because its results are wrong or it cannot run.
Measured measure(Outcome (*work)());

}  // namespace trainyard::bench
