// A GPU's own kernel times: the roofline, times the efficiency that kernels of that shape reach.
#pragma once

#include "platforms/gpus.hpp"
#include "workload/compute/efficiency.hpp"
#include "workload/steps/kernel.hpp"

namespace trainyard {

class PresetTimes final : public KernelTimes {
public:
  explicit PresetTimes(const Efficiency& efficiency);
  explicit PresetTimes(const std::string& gpu) : PresetTimes(usual_efficiency(gpu)) {}

  // A GEMM: the slower of its waves of tiles and its bytes. Attention: of its FLOPs and its bytes.
  // Everything else: its bytes. Throws InfeasibleError if the GPU has no such precision.
  Seconds of(const Kernel& kernel) const override;

  const GpuType& gpu() const { return gpu_; }
  const Efficiency& efficiency() const { return efficiency_; }

private:
  double reached(Precision precision) const;  // FLOP/s of a full wave
  const GpuType& gpu_;
  Efficiency efficiency_;
};

double peak_flops(const GpuType& gpu, Precision precision);  // per second; 0: has none
const char* to_string(Precision precision);

}  // namespace trainyard
