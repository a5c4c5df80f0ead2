#include "schedulers/slurm/site/block_topology.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

// log2 of a power of two; -1 of anything else.
int exponent_of(int number) {
  int exponent = 0;
  while (number > 1 && number % 2 == 0) number /= 2, ++exponent;
  return number == 1 ? exponent : -1;
}

}  // namespace

int BlockTopology::level_from(int level) const {
  const auto found = std::lower_bound(levels.begin(), levels.end(), level);
  return found == levels.end() ? -1 : *found;
}

int BlockTopology::level_up_to(int level) const {
  const auto found = std::upper_bound(levels.begin(), levels.end(), level);
  return found == levels.begin() ? -1 : *(found - 1);
}

std::string set_block_sizes(BlockTopology& topology, const std::vector<int>& sizes) {
  topology.levels.clear();
  if (sizes.empty()) {
    topology.levels = {0, 1, 2, 3, 4};
    topology.base_size = topology.empty() ? 1 : topology.nodes(0).count();
    return topology.base_size > 0 ? "" : "the first block has no nodes, and there are no sizes";
  }
  topology.base_size = sizes.front();
  for (const int size : sizes) {
    const int level = size % sizes.front() == 0 ? exponent_of(size / sizes.front()) : -1;
    constexpr int kMostLevels = 16;
    if (level < 0 || level >= kMostLevels)
      return "block size " + std::to_string(size) + " is no power of two times the first, " +
             std::to_string(sizes.front());
    topology.levels.push_back(level);
  }
  std::sort(topology.levels.begin(), topology.levels.end());
  return "";
}

int level_of(const BlockTopology& topology, int nodes) {
  const int blocks = (nodes + topology.base_size - 1) / topology.base_size;
  int level = 0;
  while ((1 << level) < blocks) ++level;
  return level;
}

}  // namespace trainyard::slurm
