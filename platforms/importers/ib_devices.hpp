// The devices of an ibnetdiscover output while it is read: known by GUID from the first mention on.
#pragma once

#include "platforms/importers/ibnetdiscover.hpp"
#include "platforms/importers/line_cursor.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace trainyard {

class IbDevices {
public:
  std::size_t of_guid(IbKind kind, std::string_view guid, const LineCursor& cursor);
  std::size_t quoted(LineCursor& cursor);
  std::size_t of_0x(LineCursor& cursor, IbKind kind);
  void list(std::size_t device, const Place& place);
  void name(std::size_t device, std::string_view text);
  void add_port(std::size_t device, const IbPort& port);
  void note_open_port(std::size_t device) { ++network_.devices[device].open_ports; }
  const IbDevice& operator[](std::size_t device) const { return network_.devices[device]; }
  IbNetwork take() { return std::move(network_); }

private:
  IbNetwork network_;
  std::map<std::string, std::size_t> by_guid_;
};

}  // namespace trainyard
