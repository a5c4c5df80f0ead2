// Random: any free blocks, in any order: the placement of a scheduler that knows no topology.
//
// Each job draws from a stream of its own, named after its id: another job's presence changes what
// is free, never what this one would draw. Ranks follow the shuffled order of the blocks, so that
// neighbouring ranks may be far apart.
#include "base/rng.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace trainyard {

namespace {

// The blocks that each node can give, numbered node by node; a rest too small for a block is left
// out.
class FreeBlocks {
public:
  FreeBlocks(const Platform& platform, const std::vector<char>& free,
             const std::vector<int>& free_per_node, int per_block)
      : platform_(platform), free_(free), per_block_(per_block) {
    before_.reserve(free_per_node.size() + 1);
    before_.push_back(0);
    for (const int on_node : free_per_node)
      before_.push_back(before_.back() + (on_node < per_block ? 0 : on_node / per_block));
  }

  int count() const { return before_.back(); }

  // The block's GPUs: of its node, the lowest free ones that earlier blocks leave.
  void append(int block, std::vector<GpuId>& gpus) const {
    const auto after = std::upper_bound(before_.begin(), before_.end(), block);
    const auto node = static_cast<std::size_t>(after - before_.begin()) - 1;
    int skip = (block - before_[node]) * per_block_;
    std::size_t gpu = platform_.nodes[node].first_gpu.index();
    for (int missing = per_block_; missing > 0; ++gpu) {
      if (free_[gpu] == 0 || skip-- > 0) continue;
      gpus.emplace_back(static_cast<std::int64_t>(gpu));
      --missing;
    }
  }

private:
  const Platform& platform_;
  const std::vector<char>& free_;
  const int per_block_;
  std::vector<int> before_;  // blocks on earlier nodes, by node; at the end, all
};

// The first of a random order (Fisher and Yates): each place gets one of those not yet used.
std::vector<int> shuffled_first(int first, int count, RandomStream stream) {
  std::vector<int> blocks(static_cast<std::size_t>(count));
  std::iota(blocks.begin(), blocks.end(), 0);
  for (std::size_t next = 0; next < static_cast<std::size_t>(first); ++next)
    std::swap(blocks[next], blocks[next + stream.below(blocks.size() - next)]);
  blocks.resize(static_cast<std::size_t>(first));
  return blocks;
}

class Random final : public Placement {
public:
  explicit Random(std::uint64_t seed) : random_(seed) {}

  Allocation place(const Job& job, const Room& room) const override {
    const int blocks = job.gpus / job.gpus_per_block;
    const FreeBlocks available(room.platform, room.free, room.free_per_node, job.gpus_per_block);
    if (available.count() < blocks) return {};
    Allocation allocation;
    allocation.gpus.reserve(static_cast<std::size_t>(job.gpus));
    for (const int block :
         shuffled_first(blocks, available.count(),
                        random_.stream("placement/job " + std::to_string(job.id.value()))))
      available.append(block, allocation.gpus);
    return allocation;
  }

private:
  RandomSource random_;
};

}  // namespace

std::unique_ptr<Placement> make_random(const PlacementOptions& options) {
  return std::make_unique<Random>(options.seed);
}

}  // namespace trainyard
