// The flow model and the simgrid model side by side.
#pragma once

#include "sim/physics_fabrics.hpp"
#include "support/collective_timing.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard::testing {

// The flow model against SimGrid's: relative, of a job's end (the worst, with its sign) and of a
// link's bytes.
struct Difference {
  double time = 0, bytes = 0;
};

inline Difference difference(const Fabric& fabric, const std::vector<CollectiveJob>& jobs) {
  const Timed flow = time_in_child(fabric, NetworkModel::Flow, jobs);
  const Timed reference = time_in_child(fabric, NetworkModel::Simgrid, jobs);
  Difference worst;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const double time = flow.ends[j] / reference.ends[j] - 1;
    if (std::abs(time) > std::abs(worst.time)) worst.time = time;
  }
  for (std::size_t l = 0; l < flow.link_bytes.size(); ++l) {
    const double off = std::abs(flow.link_bytes[l] - reference.link_bytes[l]);
    worst.bytes = std::max(worst.bytes, off / std::max(1.0, reference.link_bytes[l]));
  }
  return worst;
}

// Rank r on leaf r mod leaves, so that every edge of a ring crosses the spines; the ranks of a leaf
// sit on its places first, first + step, ...
struct Layout {
  int leaves, per_leaf, first, step;
};

inline std::vector<GpuId> across_leaves(int ranks, const Layout& layout) {
  std::vector<GpuId> ids;
  for (int r = 0; r < ranks; ++r) {
    const int place = layout.first + r / layout.leaves * layout.step;
    ids.emplace_back(r % layout.leaves * layout.per_leaf + place);
  }
  return ids;
}

struct Played {
  CollectiveKind kind;
  const char* algorithm;
};
// Rings are played in order, step by step; the all-to-all is posted at once.
const Played kPlayed[] = {{CollectiveKind::AllReduce, "ring"},
                          {CollectiveKind::AllGather, "ring"},
                          {CollectiveKind::AllToAll, "direct"}};

inline RoutingSpec ecmp(int seed) {
  return {RoutingPolicy::Ecmp, 1, static_cast<std::uint64_t>(seed)};
}

}  // namespace trainyard::testing
