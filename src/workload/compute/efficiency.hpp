// How much of a GPU's peak real kernels reach: a few numbers a GPU, each of which means something.
//
// They hold for a GPU *and* its software of that time; `trainyard calibrate --steps` fits them to
// measured step times. What is not calibrated is assumed, and says so.
#pragma once

#include "base/quantity.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct Efficiency {
  std::string gpu;       // one of gpu_types()
  double gemm = 0;       // of the dense peak, in a full wave of the largest tile; clocks included
  double gemm_fp8 = 0;   // the same in fp8, casts and scaling included
  double attention = 0;  // of the dense peak, fused (flash) attention
  double hbm = 0;        // of the memory bandwidth, kernels that it bounds
  Seconds kernel;        // start and end of each kernel
  double fill = 0;       // steps of k that a GEMM's wave takes to start and end
  std::string label;     // "assumed", "calibrated"
  std::string range;     // where it was fitted, in words
  double loo_mean = 0, loo_max = 0;  // relative errors of rows left out of the fit, one by one
  std::string source;
};

// One a GPU type.
const Efficiency& usual_efficiency(const std::string& gpu);

// "A100 calibrated: gemm 0.71, fp8 -, attention 0.58, hbm 0.85, 3 us a kernel (...)"
std::string describe(const Efficiency& efficiency);

// CSV, one GPU a line. Throws InputError with file and line.
std::vector<Efficiency> read_efficiencies(const std::string& file);
std::string to_csv(const std::vector<Efficiency>& efficiencies);

}  // namespace trainyard
