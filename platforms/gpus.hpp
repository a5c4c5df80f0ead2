// The types of GPU there are: what their makers say they do at best.
//
// A platform's property `gpu` names one. How much of it real kernels reach is not said here
// (workload/compute). A zero is "has none", never "unknown".
#pragma once

#include "base/quantity.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct GpuType {
  const char* name;              // as Hardware::gpu calls it
  const char* sentence;          // which product
  int compute_capability;        // CUDA's, times ten; 0: not CUDA
  int sms;                       // streaming multiprocessors; AMD: compute units
  double fp32, tf32, bf16, fp8;  // dense peak, TFLOP/s; bf16 is fp16's too
  Bandwidth hbm;
  Bytes memory;
  bool nvls;  // its generation of NVSwitch reduces (NVLink SHARP came with the third, for H100)
};

const std::vector<GpuType>& gpu_types();
std::vector<std::string> gpu_names();
const GpuType* find_gpu_type(const std::string& name);  // nullptr: none of that name

}  // namespace trainyard
