#include "workload/compute/preset_times.hpp"

#include "base/error.hpp"
#include "workload/compute/gemm.hpp"

#include <algorithm>

namespace trainyard {

double peak_flops(const GpuType& gpu, Precision precision) {
  switch (precision) {
    case Precision::Fp32:
      return gpu.fp32 * 1e12;
    case Precision::Tf32:
      return gpu.tf32 * 1e12;
    case Precision::Bf16:
      return gpu.bf16 * 1e12;
    case Precision::Fp8:
      return gpu.fp8 * 1e12;
  }
  return 0;
}

const char* to_string(Precision precision) {
  switch (precision) {
    case Precision::Fp32:
      return "fp32";
    case Precision::Tf32:
      return "tf32";
    case Precision::Bf16:
      return "bf16";
    case Precision::Fp8:
      return "fp8";
  }
  return "";
}

PresetTimes::PresetTimes(const Efficiency& efficiency)
    : gpu_(*find_gpu_type(efficiency.gpu)), efficiency_(efficiency) {}

double PresetTimes::reached(Precision precision) const {
  const double share = precision == Precision::Fp8 ? efficiency_.gemm_fp8 : efficiency_.gemm;
  const double rate = peak_flops(gpu_, precision) * share;
  if (!(rate > 0))
    throw InfeasibleError({}, "precision",
                          std::string(gpu_.name) + " does not multiply in " + to_string(precision));
  return rate;
}

Seconds PresetTimes::of(const Kernel& kernel) const {
  const Seconds bytes(kernel.bytes / (in_bytes_per_second(gpu_.hbm) * efficiency_.hbm));
  Seconds flops;
  if (kernel.kind == Kernel::Kind::Gemm)
    flops =
        Seconds(plan_gemm(kernel, gpu_.sms, efficiency_.fill).flops / reached(kernel.precision));
  if (kernel.kind == Kernel::Kind::Attention)
    flops = Seconds(kernel.flops / (peak_flops(gpu_, kernel.precision) * efficiency_.attention));
  return efficiency_.kernel + std::max(flops, bytes);
}

}  // namespace trainyard
