// `slow:` of an experiment: GPUs and links that are slower than the platform says.
#pragma once

#include "actors/compute_variation.hpp"
#include "config/section.hpp"
#include "platforms/platform.hpp"

#include <vector>

namespace trainyard {

struct SlowParts {
  std::vector<double> gpu_slowdown;  // by GpuId; 1: as fast as the platform says
  std::vector<double> link_factor;   // by LinkId, of the bandwidth; 1: all of it
  std::vector<SlowSpell> spells;     // GPUs that are slow for a while
};

// A GPU with `from` is slow for a while: `{gpu: node0/gpu1, factor: 1.5, from: 10 s, to: 20 s,
// period?: 1 min}`.
// `slow: {gpus: [{gpu: node0/gpu1, factor: 1.07}], links: [{link: node0/gpu1/nic_up, factor:
// 0.5}]}`
SlowParts read_slow_parts(Section section, const Platform& platform);

}  // namespace trainyard
