// A fabric of any shape, packed for path finding: who is cabled to whom, and how far every switch
// is from every leaf.
//
// INVARIANT: neighbours keep the order of the platform's ports (up, down, across), each peer once;
// a distance is the number of cables between switches on a shortest path, kFar if there is none.
#pragma once

#include "base/ids.hpp"
#include "platforms/platform.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

class GraphTable {
public:
  static constexpr int kFar = 255;

  struct Neighbour {
    SwitchId peer;
    std::vector<LinkId> cables;  // parallel, leading there
  };

  explicit GraphTable(const Platform& platform);

  const std::vector<Neighbour>& neighbours(SwitchId at) const { return neighbours_[at.index()]; }
  int distance(SwitchId at, SwitchId leaf) const {
    return distances_[static_cast<std::size_t>(rows_[leaf.index()]) * neighbours_.size() +
                      at.index()];
  }
  // Switches beside this one with the same endpoints below, if this is a tree: what destination
  // tables divide positions by, so that levels choose independently.
  std::uint32_t wide(SwitchId at) const { return wide_[at.index()]; }

private:
  void add_ports(const Platform& platform);
  void measure(SwitchId leaf);
  void widen(const Platform& platform);

  std::vector<std::vector<Neighbour>> neighbours_;  // by switch
  std::vector<std::int32_t> rows_;                  // by switch: a leaf's row of distances, or -1
  std::vector<std::uint8_t> distances_;             // a row per leaf, a column per switch
  std::vector<std::uint32_t> wide_;                 // by switch
};

}  // namespace trainyard
