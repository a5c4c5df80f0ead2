// What the file of a fabric says: hosts, switches and cables, as plain data.
//
// Every importer of a fabric produces this, join_site() makes a platform of it. Names are as in the
// file. INVARIANT: indices name what exists; a host has at least one port.
#pragma once

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace trainyard {

struct Fabric {
  // One cable of a host, or, if cables are not listed, the switch it hangs below.
  struct Port {
    std::string hca;  // "mlx5_0"; empty if the file does not say
    std::size_t to = 0;
    Bandwidth rate;
    Place place;
  };
  struct Host {
    std::string name;
    std::vector<Port> ports;  // in the order of the host's NICs
    Place place;
  };
  struct Switch {
    std::string name;
    Place place;
  };
  struct Cable {
    std::size_t a = 0, b = 0;
    Bandwidth rate;
    Place place;
  };

  bool cables_listed = false;  // every cable with its rate; otherwise only who hangs below whom
  std::vector<Host> hosts;
  std::vector<Switch> switches;
  std::vector<Cable> cables;
  std::string network;             // "infiniband", or empty if the file does not say
  std::vector<std::string> notes;  // what was ignored
};

}  // namespace trainyard
