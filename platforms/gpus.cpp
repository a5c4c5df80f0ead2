#include "platforms/gpus.hpp"

#include <algorithm>

namespace trainyard {

// Dense rates: data sheets print Hopper's and Blackwell's with 2:4 sparsity, twice these. Their
// "GB" of memory are GiB: an "80 GB" A100 reports 81,251 MiB.
//
// V100    NVIDIA V100 data sheet (SXM2, 32 GB)
// A100    NVIDIA A100 data sheet: SXM4, 80 GB at 2,039 GB/s, 40 GB at 1,555 GB/s; 108 SMs: white
//         paper GA100
// H100    NVIDIA H100 data sheet (SXM5) and white paper, table "H100 SXM5": 132 SMs, 989.4 and
// 1,978.9
//         TFLOP/s
// H100-96GB  the HBM2e part of Meta's Grand Teton: torchtitan's benchmark of December 2024 gives
//         96 GB and 2.4 TB/s; 500 W, so that the peak below is not reached
// H200    NVIDIA H200 data sheet (SXM): H100's rates, 141 GB at 4.8 TB/s
// GH200   NVIDIA GH200 data sheet: H100's rates, 96 GB HBM3 at 4 TB/s
// B200    NVIDIA DGX B200 data sheet, an eighth of the system: 72 PFLOP/s of FP8 with sparsity,
//         1,440 GB at 64 TB/s; bf16 and tf32: a half and an eighth of it; fp32: NVIDIA's Blackwell
//         brief, table "HGX B200"; 148 SMs: as the device reports
// GB200   NVIDIA GB200 NVL72 data sheet, a 72nd of the rack: 720 PFLOP/s of FP8 with sparsity,
//         13.4 TB at 576 TB/s
// MI300X  AMD Instinct MI300X data sheet: 304 compute units, 5.3 TB/s, 192 GB
const std::vector<GpuType>& gpu_types() {
  const auto gb = [](double n) { return gigabytes_per_second(n); };
  static const std::vector<GpuType> types = {
      {"V100", "SXM2, 32 GB", 70, 80, 15.7, 0, 125, 0, gb(900), gibibytes(32), false},
      {"A100", "SXM4, 80 GB", 80, 108, 19.5, 156, 312, 0, gb(2039), gibibytes(80), false},
      {"A100-40GB", "SXM4, 40 GB", 80, 108, 19.5, 156, 312, 0, gb(1555), gibibytes(40), false},
      {"H100", "SXM5, 80 GB", 90, 132, 66.9, 494.7, 989.4, 1978.9, gb(3350), gibibytes(80), true},
      {"H100-96GB", "SXM5 at 500 W with HBM2e, 96 GB", 90, 132, 66.9, 494.7, 989.4, 1978.9,
       gb(2400), gibibytes(96), true},
      {"H200", "SXM, 141 GB", 90, 132, 66.9, 494.7, 989.4, 1978.9, gb(4800), gibibytes(141), true},
      {"GH200", "Grace Hopper, 96 GB", 90, 132, 66.9, 494.7, 989.4, 1978.9, gb(4000), gibibytes(96),
       true},
      {"B200", "HGX and DGX, 180 GB", 100, 148, 75, 1125, 2250, 4500, gb(8000), gibibytes(180),
       true},
      {"GB200", "of NVL72, 186 GB", 100, 148, 80, 1250, 2500, 5000, gb(8000), gibibytes(186), true},
      {"MI300X", "OAM, 192 GB", 0, 304, 163.4, 653.7, 1307.4, 2614.9, gb(5300), gibibytes(192),
       false},
  };
  return types;
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const GpuType& type : gpu_types()) names.emplace_back(type.name);
  return names;
}

const GpuType* find_gpu_type(const std::string& name) {
  const auto found = std::find_if(gpu_types().begin(), gpu_types().end(),
                                  [&](const GpuType& type) { return name == type.name; });
  return found == gpu_types().end() ? nullptr : &*found;
}

}  // namespace trainyard
