// What computing beside a collective costs: the collective's kernel holds SMs and moves bytes
// through the GPU's memory, and what is left is the computation's.
//
// Plain numbers in, one factor out; who is resident when, the player of steps knows.
#pragma once

#include "platforms/gpus.hpp"
#include "workload/compute/efficiency.hpp"

namespace trainyard {

// How a collective's bytes are moved.
enum class Transport {
  Channels,    // NCCL's rings and trees, sends and receives: a block of threads a channel
  Nvls,        // the NVSwitch adds up: fewer bytes through memory, fewer SMs
  Sharp,       // the fabric's switches add up
  CopyEngine,  // no SM at all
};

struct OverlapCost {
  int sms = 0;               // held while it runs
  double bytes_touched = 0;  // of memory, for each byte that the GPU sends
};

// By GPU type and transport; the .cpp says what is sourced and what is assumed.
OverlapCost overlap_cost(const GpuType& gpu, Transport transport);

// What a computation is made of: the shares of its time that SMs and that memory bound (the rest is
// neither: gaps), and how many waves its SM-bound kernels have on average; 0: many.
struct KernelMix {
  double math = 0, memory = 0;
  double waves = 0;
};
// From an operation's duration, FLOPs and bytes, as far as they tell: what its FLOPs take in full
// waves is math; of the rest, what its bytes take is memory. Zeroes say nothing: all math.
KernelMix kernel_mix(const Efficiency& efficiency, Seconds duration, double flops, double bytes);

struct Resident {
  OverlapCost cost;
  Bandwidth sent;  // by this GPU, while the collective runs
};

// The computation takes so many times longer while the collective is resident; at least 1.
double slowdown(const GpuType& gpu, const KernelMix& mix, const Resident& resident);

}  // namespace trainyard
