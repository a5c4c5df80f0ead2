// Pack by leaf: as few leaf switches as possible, then as few nodes, then the tightest fit.
//
// Traffic inside one leaf meets no other job on an uplink, and traffic inside one node none at all.
// A job that some leaf can hold goes to one: where it needs the fewest nodes and, among those,
// leaves the least behind. A larger one takes the emptiest leaves whole, and for the rest the leaf
// that fits it best.
#include "schedulers/placements/leaves.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace trainyard {

namespace {

struct Taken {
  int id;
  int blocks;
};

// The fewest bins that hold `needed` blocks: the fullest whole, then for the rest the tightest.
// Among bins of as many blocks, the one with the fewest GPUs over, then the lowest id.
std::vector<Taken> pack(std::vector<Bin> bins, int needed) {
  std::sort(bins.begin(), bins.end(), [](const Bin& a, const Bin& b) {
    return std::tie(b.blocks, a.free, a.id) < std::tie(a.blocks, b.free, b.id);
  });
  std::vector<Taken> taken;
  auto bin = bins.cbegin();
  for (; needed > bin->blocks; ++bin) {
    taken.push_back({bin->id, bin->blocks});
    needed -= bin->blocks;
  }
  const auto holds = [needed](const Bin& other) { return other.blocks >= needed; };
  const auto smaller = std::partition_point(bin, bins.cend(), holds);
  const int tightest = (smaller - 1)->blocks;
  while (bin->blocks > tightest) ++bin;
  taken.push_back({bin->id, needed});
  return taken;
}

void append(const std::vector<Taken>& nodes, std::vector<Share>& shares) {
  for (const Taken& node : nodes) shares.push_back({NodeId(node.id), node.blocks});
}

// Where all of it fits under one leaf: on the fewest nodes, then with the least left over. Empty if
// nowhere.
std::vector<Taken> pack_one_leaf(const std::vector<Leaf>& leaves, int needed) {
  std::vector<Taken> best;
  int best_left = 0;
  for (const Leaf& leaf : leaves) {
    if (leaf.blocks < needed) continue;
    const int left = leaf.blocks - needed;
    std::vector<Taken> nodes = pack(leaf.nodes, needed);
    const bool better = std::make_pair(nodes.size(), left) < std::make_pair(best.size(), best_left);
    if (!best.empty() && !better) continue;
    best = std::move(nodes);
    best_left = left;
  }
  return best;
}

std::vector<Bin> as_bins(const std::vector<Leaf>& leaves) {
  std::vector<Bin> bins;
  bins.reserve(leaves.size());
  for (const Leaf& leaf : leaves)
    bins.push_back({static_cast<int>(bins.size()), leaf.blocks, leaf.free});
  return bins;
}

class PackByLeaf final : public BlockPlacement {
  std::vector<Share> choose(const Request& request, const Platform& platform,
                            const std::vector<int>& free_per_node) const override {
    const std::vector<Leaf> leaves = leaves_with_room(platform, free_per_node, request.per_block);
    std::vector<Share> shares;
    append(pack_one_leaf(leaves, request.blocks), shares);
    if (!shares.empty()) return shares;
    for (const Taken& leaf : pack(as_bins(leaves), request.blocks))
      append(pack(leaves[static_cast<std::size_t>(leaf.id)].nodes, leaf.blocks), shares);
    return shares;
  }
};

}  // namespace

std::unique_ptr<Placement> make_pack_by_leaf(const PlacementOptions& /*options*/) {
  return std::make_unique<PackByLeaf>();
}

}  // namespace trainyard
