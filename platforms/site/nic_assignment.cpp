#include "platforms/site/nic_assignment.hpp"

#include <utility>
#include <vector>

namespace trainyard {

namespace {

// 0: below the same PCIe switch; 1: at the same CPU; 2: elsewhere.
int distance(const NcclNode& node, int group, int other) {
  if (group == other) return 0;
  return node.groups[static_cast<std::size_t>(group)].numa ==
                 node.groups[static_cast<std::size_t>(other)].numa
             ? 1
             : 2;
}

void take_nearest(GraphSpec::NodeKind& kind, const NcclNode& node, std::size_t gpu) {
  const auto rank = [&](std::size_t nic) {
    return std::make_pair(distance(node, node.gpus[gpu].group, node.nics[nic].group),
                          kind.nics[nic].gpus.size());
  };
  std::size_t best = 0;
  for (std::size_t nic = 1; nic < kind.nics.size(); ++nic)
    if (rank(nic) < rank(best)) best = nic;
  kind.nics[best].gpus.push_back(static_cast<int>(gpu));
}

}  // namespace

void assign_nics(GraphSpec::NodeKind& kind, const NcclNode& node) {
  const std::size_t gpus = node.gpus.size();
  if (kind.nics.empty()) return;
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) take_nearest(kind, node, gpu);
  std::vector<int> nics_of(gpus, 1);
  for (std::size_t nic = 0; nic < kind.nics.size(); ++nic) {
    if (!kind.nics[nic].gpus.empty()) continue;
    std::size_t best = gpus;
    for (std::size_t gpu = 0; gpu < gpus; ++gpu)
      if (node.gpus[gpu].group == node.nics[nic].group &&
          (best == gpus || nics_of[gpu] < nics_of[best]))
        best = gpu;
    if (best == gpus) continue;
    ++nics_of[best];
    kind.nics[nic].gpus.push_back(static_cast<int>(best));
  }
}

}  // namespace trainyard
