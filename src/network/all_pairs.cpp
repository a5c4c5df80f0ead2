#include "network/all_pairs.hpp"

#include "network/pair_sums.hpp"

#include <utility>

namespace trainyard {

namespace {

void add_pair_by_pair(LinkLoads& loads, const AllPairs& pairs, const std::vector<GpuId>& gpus) {
  for (int to = 0; to < static_cast<int>(pairs.to.size()); ++to)
    for (int i = 0; i < pairs.group; ++i)
      if (const Rank from = pairs.member(to, i); from != Rank{to})
        loads.add(gpus[from.index()], gpus[static_cast<std::size_t>(to)],
                  pairs.to[static_cast<std::size_t>(to)]);
}

}  // namespace

void add_all_pairs(LinkLoads& loads, const AllPairs& pairs, const std::vector<GpuId>& gpus) {
  if (loads.routing().alike() == Alike::Nothing) return add_pair_by_pair(loads, pairs, gpus);
  const NodePaths nodes(loads.platform());
  PairSums sums(loads, nodes);
  for (int rank = 0; rank < static_cast<int>(pairs.to.size()); ++rank) {
    if (pairs.member(rank, 0) != Rank{rank}) continue;
    PairSums::Members members;
    for (int i = 0; i < pairs.group; ++i) {
      const std::size_t member = pairs.member(rank, i).index();
      members.push_back({gpus[member], pairs.to[member], nodes.box(gpus[member])});
    }
    sums.add(std::move(members));
  }
}

}  // namespace trainyard
