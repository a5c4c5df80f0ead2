// The InfiniBand fabric as `ibnetdiscover` prints it, in its usual form or as a list of ports (-p).
//
//   Switch 41 "S-0ff08c432172aa1a"   # "spine1" base port 0 lid 226 lmc 0
//   [1] "S-0ff08c43215bae48"[25]     # "leaf1" lid 556 4xHDR s=4 w=2
//   CA  134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 0x7cfe9003009ce5b0 ( 'o1 HCA-1' - 'leaf1' )
// Rates are data rates, encoding taken off: 4xEDR 100, 4xHDR 200, 4xNDR 400 Gbit/s.
//
// Holds: devices and ports are unique. The two ends of a cable agree about each other and about the
// rate; a cable that only one end lists is kept and noted with its line, for excerpts are common.
#pragma once

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "platforms/site/fabric.hpp"

#include <string>
#include <vector>

namespace trainyard {

enum class IbKind { Switch, Ca, Router };

struct IbPort {
  int number = 0;
  std::size_t peer = 0;  // index of a device
  int peer_port = 0;
  Bandwidth rate;
  Place place;
};

struct IbDevice {
  IbKind kind = IbKind::Switch;
  std::string guid;  // hexadecimal, without zeros in front
  std::string name;
  std::vector<IbPort> ports;  // that are connected, in the order of the file
  bool listed = false;        // false: only seen at the other end of cables
  int open_ports = 0;         // listed without a peer (-p)
  Place place;
};

struct IbNetwork {
  std::vector<IbDevice> devices;
};

IbNetwork parse_ibnetdiscover(const std::string& file, const std::string& text);

// Throws unless the ends of every cable agree.
void check_cables(const IbNetwork& network);

// "4x" and "EDR" as a data rate; zero if there is no such width or speed.
Bandwidth ib_rate(const std::string& width, const std::string& speed);
std::string ib_speeds();  // "SDR, DDR, ..."

// Hosts by the first word of their adapters' names, in natural order; aggregation nodes (SHARP),
// routers and adapters that carry their maker's name only are left out and noted.
Fabric to_fabric(const IbNetwork& network);

}  // namespace trainyard
