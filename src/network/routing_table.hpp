// The switch tree of a platform, packed for path finding: no strings, no vectors of vectors.
//
// Rows are indexed by SwitchId. Ports keep the platform's order: up ports parent by parent, down
// ports child by child, parallel cables side by side.
#pragma once

#include "base/ids.hpp"
#include "platforms/platform.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

struct RoutingTable {
  struct Row {
    std::int32_t first_position, last_position;  // serves first .. last-1
    std::int32_t child_span;
    std::uint32_t up_begin, up_ports;
    std::uint32_t down_begin;
    std::uint32_t cables_up, cables_down;  // to each parent, to each child
    std::uint32_t wide;                    // switches that serve these positions
    std::int32_t level;
  };
  // What a path through the fabric needs to know of a GPU.
  struct End {
    LinkId nic_up, nic_down;
    SwitchId leaf;
    std::int32_t position = 0;
  };

  std::vector<Row> rows;
  std::vector<Port> ports;
  std::vector<End> ends;  // by GpuId

  const Row& row(SwitchId id) const { return rows[id.index()]; }
  const Port& up(const Row& row, std::uint32_t port) const { return ports[row.up_begin + port]; }
  const Port& down(const Row& row, std::int32_t position, std::uint32_t cable) const {
    const auto child = static_cast<std::uint32_t>((position - row.first_position) / row.child_span);
    return ports[row.down_begin + child * row.cables_down + cable];
  }
  static bool serves(const Row& row, std::int32_t position) {
    return position >= row.first_position && position < row.last_position;
  }
};

RoutingTable make_routing_table(const Platform& platform);

}  // namespace trainyard
