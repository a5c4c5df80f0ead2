// A Row: work with a bar. Its function does the whole of it, from loading the platform to the end,
// in a process of its own, because SimGrid's engine is one per process.
//
// A bar that is missed is printed and fails nothing: times belong to the machine. A wrong simulated
// result ends the program.
#pragma once

#include "base/quantity.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::bench {

struct Outcome {
  Seconds simulated;
  std::int64_t events = 0;
  double uncounted_cpu_s = 0;   // spent on what the row does not count: loading, making inputs
  std::string note;             // numbers worth reading beside the times
  std::string absent;           // the reference file without which nothing was done
  std::function<void()> check;  // throws if the results are wrong; not measured
};

struct Row {
  const char* name;
  const char* work;
  double bar_s;       // of CPU time; 0: none
  double bar_mb;      // of resident memory; 0: none
  const char* peers;  // what other simulators need for the same work
  Outcome (*run)();
  Outcome (*yardstick)();  // the same work under another model, or nothing
};

std::vector<Row> collective_rows();
std::vector<Row> scale_rows();
std::vector<Row> slurm_rows();
std::vector<Row> solver_rows();
std::vector<Row> step_rows();
std::vector<Row> training_rows();
std::vector<Row> trace_rows();

// CPU time of this process so far, without its children.
double own_cpu_s();

// Throws unless `actual` is `expected` within `tolerance`, relative.
void expect_near(const std::string& what, double actual, double expected, double tolerance);

}  // namespace trainyard::bench
