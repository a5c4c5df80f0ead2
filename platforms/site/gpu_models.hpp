// GPUs by name, for site files that do not say what NVLink there is.
//
// A GPU's NVLink bandwidth, one direction, is its links times what NCCL counts on for one link of
// its generation (platforms/importers/nccl_topology): less than the data sheet's rate, for the
// protocol's share is off.
#pragma once

#include "base/quantity.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct GpuModel {
  const char* name;      // as users write it: "h100"
  int sm;                // CUDA's compute capability, times ten
  int nvlinks;           // of one GPU; 0: none
  const char* hardware;  // as Hardware::gpu calls it, or ""
};

const std::vector<GpuModel>& gpu_models();
const GpuModel* find_gpu_model(const std::string& name);

// One NVLink of that generation, one direction; zero before the first.
Bandwidth nvlink_rate(int sm);

}  // namespace trainyard
