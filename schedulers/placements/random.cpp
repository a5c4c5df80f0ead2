// Random: any free blocks, in any order: the placement of a scheduler that knows no topology.
//
// Each job draws from a stream of its own, named after its id: another job's presence changes what
// is free, never what this one would draw. Ranks follow the shuffled order of the blocks, so that
// neighbouring ranks may be far apart.
#include "base/rng.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace trainyard {

namespace {

// Each node's free GPUs in blocks, from the lowest, one block after another; a rest too small for a
// block is left out.
std::vector<GpuId> free_blocks(const Platform& platform, const std::vector<char>& free,
                               const std::vector<int>& free_per_node, int per_block) {
  std::vector<GpuId> gpus;
  gpus.reserve(free.size());
  for (std::size_t node = 0; node < free_per_node.size(); ++node) {
    int usable = free_per_node[node] / per_block * per_block;
    for (std::size_t gpu = platform.nodes[node].first_gpu.index(); usable > 0; ++gpu) {
      if (free[gpu] == 0) continue;
      gpus.emplace_back(static_cast<std::int64_t>(gpu));
      --usable;
    }
  }
  return gpus;
}

// The first blocks of a random order (Fisher and Yates): each place gets one of those not yet used.
void shuffle_first(std::size_t blocks, std::size_t per_block, RandomStream stream,
                   std::vector<GpuId>& gpus) {
  const auto block = [&](std::size_t i) {
    return gpus.begin() + static_cast<std::ptrdiff_t>(i * per_block);
  };
  const std::size_t available = gpus.size() / per_block;
  for (std::size_t next = 0; next < blocks; ++next) {
    const std::size_t drawn = next + stream.below(available - next);
    if (drawn != next) std::swap_ranges(block(next), block(next + 1), block(drawn));
  }
}

class Random final : public Placement {
public:
  explicit Random(std::uint64_t seed) : random_(seed) {}

  Allocation place(const Job& job, const Platform& platform, const std::vector<char>& free,
                   const std::vector<int>& free_per_node) const override {
    const int blocks = job.gpus / job.gpus_per_block;
    if (blocks_available(free_per_node, job.gpus_per_block) < blocks) return {};
    std::vector<GpuId> gpus = free_blocks(platform, free, free_per_node, job.gpus_per_block);
    shuffle_first(static_cast<std::size_t>(blocks), static_cast<std::size_t>(job.gpus_per_block),
                  random_.stream("placement/job " + std::to_string(job.id.value())), gpus);
    gpus.resize(static_cast<std::size_t>(job.gpus));
    return {std::move(gpus)};
  }

private:
  RandomSource random_;
};

}  // namespace

std::unique_ptr<Placement> make_random(std::uint64_t seed) {
  return std::make_unique<Random>(seed);
}

}  // namespace trainyard
