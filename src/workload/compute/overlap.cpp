#include "workload/compute/overlap.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trainyard {

namespace {

// A block of NCCL's takes an SM of its own beside kernels that fill theirs, as GEMMs do.
//
// Channels  24 on A100 and H100 with NVSwitches, 12 on V100's cube mesh: NCCL_DEBUG=INFO prints "24
//           coll channels" (NVIDIA/nccl issue 1781) and "12 coll channels" (Jean Zay's Megatron
//           logs). Blackwell's 32 is assumed: its NVLinks are twice as fast; MI300X's 28 is
//           assumed: four for each of its seven links.
// Nvls      16 of Hopper, 24 of Blackwell in one domain: NCCL 2.30, src/transport/nvls.cc
// Sharp     6: NVIDIA's blog on NCCL 2.27 ("from 16 or more down to 6 or fewer")
int sms_held(const GpuType& gpu, Transport transport) {
  const bool blackwell = gpu.compute_capability >= 100;
  switch (transport) {
    case Transport::Channels:
      if (gpu.compute_capability == 0) return 28;
      if (gpu.compute_capability < 80) return 12;
      return blackwell ? 32 : 24;
    case Transport::Nvls:
      return blackwell ? 24 : 16;
    case Transport::Sharp:
      return 6;
    case Transport::CopyEngine:
      return 0;
  }
  return 0;
}

// Counted from what NCCL's Simple protocol does for each byte sent: a ring's step reads its own
// part and what came in, and a neighbour's bytes are written into it. With switches that add up,
// and with copy engines, a byte is read once to leave, and one is written that arrives. Caches,
// which spare some of it, are not counted (assumed).
double bytes_touched(Transport transport) { return transport == Transport::Channels ? 3 : 2; }

constexpr double kMostTaken = 0.9;  // of the memory bandwidth: a computation never stands still

double math_factor(const GpuType& gpu, double waves, int held) {
  const double left = std::max(1, gpu.sms - held);
  if (waves <= 0) return gpu.sms / left;
  const double tiles = waves * gpu.sms;
  constexpr double kRounding = 1e-9;  // 2.0000000001 waves are two
  return std::ceil(tiles / left - kRounding) / std::ceil(waves - kRounding);
}

double memory_factor(const GpuType& gpu, const Resident& resident) {
  const double taken = resident.cost.bytes_touched * (resident.sent / gpu.hbm);
  return 1 / (1 - std::min(taken, kMostTaken));
}

}  // namespace

OverlapCost overlap_cost(const GpuType& gpu, Transport transport) {
  return {sms_held(gpu, transport), bytes_touched(transport)};
}

KernelMix kernel_mix(const Efficiency& efficiency, Seconds duration, double flops, double bytes) {
  if (!(duration > Seconds(0)) || (flops <= 0 && bytes <= 0)) return {1, 0, 0};
  const GpuType& gpu = *find_gpu_type(efficiency.gpu);
  const Seconds math(flops / (gpu.bf16 * 1e12 * efficiency.gemm));
  const Seconds memory(bytes / (in_bytes_per_second(gpu.hbm) * efficiency.hbm));
  KernelMix mix;
  mix.math = std::min(1.0, math / duration);
  mix.memory = std::min(1 - mix.math, memory / duration);
  return mix;
}

double slowdown(const GpuType& gpu, const KernelMix& mix, const Resident& resident) {
  assert(mix.math >= 0 && mix.memory >= 0 && mix.math + mix.memory <= 1 + 1e-9);
  const double math = math_factor(gpu, mix.waves, resident.cost.sms) - 1;
  const double memory = memory_factor(gpu, resident) - 1;
  return 1 + mix.math * math + mix.memory * memory;
}

}  // namespace trainyard
