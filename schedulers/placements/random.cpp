// Random: any free blocks, in any order: the placement of a scheduler that knows no topology.
//
// Each job draws from a stream of its own, named after its id: another job's presence changes what
// is free, never what this one would draw. Ranks follow the shuffled order of the blocks, so that
// neighbouring ranks may be far apart.
#include "base/rng.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <string>

namespace trainyard {

namespace {

using Block = std::vector<GpuId>;

// Each node's free GPUs cut into blocks from the lowest; a rest too small for a block is left out.
std::vector<Block> free_blocks(const Platform& platform, const std::vector<char>& free,
                               std::size_t per_block) {
  std::vector<Block> blocks;
  for (const Node& node : platform.nodes) {
    Block block;
    for (int gpu = node.first_gpu.value(); gpu < node.first_gpu.value() + node.gpus; ++gpu) {
      if (free[GpuId(gpu).index()] != 0) block.emplace_back(gpu);
      if (block.size() < per_block) continue;
      blocks.push_back(std::move(block));
      block.clear();
    }
  }
  return blocks;
}

class Random final : public Placement {
public:
  explicit Random(std::uint64_t seed) : random_(seed) {}

  Allocation place(const Job& job, const Platform& platform, const std::vector<char>& free,
                   const std::vector<int>& free_per_node) const override {
    const int needed = job.gpus / job.gpus_per_block;
    if (blocks_available(free_per_node, job.gpus_per_block) < needed) return {};
    std::vector<Block> blocks =
        free_blocks(platform, free, static_cast<std::size_t>(job.gpus_per_block));
    RandomStream stream = random_.stream("placement/job " + std::to_string(job.id.value()));
    Allocation allocation;
    for (std::size_t next = 0; next < static_cast<std::size_t>(needed); ++next) {
      std::swap(blocks[next], blocks[next + stream.below(blocks.size() - next)]);
      allocation.gpus.insert(allocation.gpus.end(), blocks[next].begin(), blocks[next].end());
    }
    return allocation;
  }

private:
  RandomSource random_;
};

}  // namespace

std::unique_ptr<Placement> make_random(std::uint64_t seed) {
  return std::make_unique<Random>(seed);
}

}  // namespace trainyard
