#include "network/routing_table.hpp"

namespace trainyard {

namespace {

RoutingTable::Row make_row(const Switch& sw, const std::vector<Port>& ports) {
  RoutingTable::Row row{};
  row.first_position = sw.first_position;
  row.last_position = sw.last_position;
  row.child_span = sw.child_span;
  row.up_begin = static_cast<std::uint32_t>(ports.size());
  row.up_ports = static_cast<std::uint32_t>(sw.up.size());
  row.down_begin = row.up_begin + row.up_ports;
  row.cables_down = static_cast<std::uint32_t>(sw.cables_down);
  row.cables_up = 1;
  row.wide = 1;
  row.level = sw.level;
  return row;
}

// How many switches stand beside each other above the same positions: parents of one child times
// the switches beside that child. Children have smaller ids than their parents.
void widen_parents(RoutingTable& table, const RoutingTable::Row& row) {
  if (row.up_ports == 0) return;
  const std::uint32_t parents = row.up_ports / row.cables_up;
  for (std::uint32_t port = 0; port < row.up_ports; port += row.cables_up)
    table.rows[table.up(row, port).peer.index()].wide = row.wide * parents;
}

RoutingTable::End make_end(const Platform& platform, const Gpu& gpu) {
  RoutingTable::End end;
  if (!gpu.nic.valid()) return end;
  const Nic& nic = platform.nics[gpu.nic.index()];
  end.nic_up = nic.up;
  end.nic_down = nic.down;
  end.leaf = nic.leaf;
  end.position = nic.position;
  return end;
}

}  // namespace

RoutingTable make_routing_table(const Platform& platform) {
  RoutingTable table;
  for (const Switch& sw : platform.switches) {
    table.rows.push_back(make_row(sw, table.ports));
    table.ports.insert(table.ports.end(), sw.up.begin(), sw.up.end());
    table.ports.insert(table.ports.end(), sw.down.begin(), sw.down.end());
  }
  for (RoutingTable::Row& row : table.rows) {
    if (row.up_ports != 0) row.cables_up = table.row(table.up(row, 0).peer).cables_down;
    widen_parents(table, row);
  }
  for (const Gpu& gpu : platform.gpus) table.ends.push_back(make_end(platform, gpu));
  return table;
}

}  // namespace trainyard
