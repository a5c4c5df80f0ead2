#include "network/choice/communicator.hpp"

#include "collectives/calibration.hpp"
#include "collectives/rings/ring_search.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

LinkMatrix nvlinks_between(const std::vector<GpuId>& gpus, const Platform& platform) {
  LinkMatrix matrix{static_cast<int>(gpus.size()), {}};
  for (const GpuId from : gpus)
    for (const GpuId to : gpus) matrix.between.push_back(nvlink_bandwidth(platform, from, to));
  return matrix;
}

bool on_a_mesh(const std::vector<GpuId>& gpus, const Platform& platform) {
  return !platform.nvlink_pairs.empty() && gpus.size() > 2 &&
         std::none_of(gpus.begin(), gpus.end(),
                      [&](GpuId gpu) { return platform.gpus[gpu.index()].nvlink_up.valid(); });
}

}  // namespace

std::int64_t nccl_node(const Platform& platform, GpuId id) {
  const Gpu& gpu = platform.gpus[id.index()];
  const bool switched = gpu.domain.valid() && gpu.nvlink_up.valid();
  return switched ? gpu.domain.value() : -1 - gpu.node.value();
}

int ranks_per_node(const std::vector<GpuId>& gpus, const Platform& platform) {
  std::set<std::int64_t> seen;
  int length = 0, current = 0;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const std::int64_t node = nccl_node(platform, gpus[i]);
    ++current;
    const bool last = i + 1 == gpus.size() || nccl_node(platform, gpus[i + 1]) != node;
    if (!last) continue;
    if (!seen.insert(node).second || (length != 0 && current != length)) return 1;
    length = current;
    current = 0;
  }
  return std::max(1, length);
}

std::shared_ptr<const std::vector<Ring>> nccl_rings(const std::vector<GpuId>& gpus,
                                                    const Platform& platform) {
  Collective shape;
  shape.ranks = static_cast<int>(gpus.size());
  shape.ranks_per_node = ranks_per_node(gpus, platform);
  if (nodes_of(shape) > 1 || !on_a_mesh(gpus, platform)) return channels_of(shape);
  FoundRings found = find_rings(nvlinks_between(gpus, platform));
  if (found.rings.empty()) return {};
  return std::make_shared<const std::vector<Ring>>(std::move(found.rings));
}

}  // namespace trainyard
