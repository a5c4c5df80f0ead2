// An InfiniBand network as read: rates, what its two ends say of a cable, and the fabric it makes.

#include "base/text.hpp"
#include "platforms/importers/ibnetdiscover.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

struct LaneSpeed {
  const char* name;
  double gigabits;  // of data, after 8b/10b or 64b/66b coding
};
constexpr LaneSpeed kSpeeds[] = {
    {"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 14.0625 * 64 / 66},
    {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};

using Cable = Fabric::Cable;

const IbPort* other_end(const IbNetwork& network, const IbPort& port) {
  const std::vector<IbPort>& ports = network.devices[port.peer].ports;
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const IbPort& other) {
    return other.number == port.peer_port;
  });
  return found == ports.end() ? nullptr : &*found;
}

InputError error(const IbPort& port, const std::string& problem) {
  return {port.place, "", "port " + std::to_string(port.number) + " " + problem};
}

std::string name_of(const IbDevice& device) {
  return device.name.empty() ? device.guid : device.name;
}

void check_ends(const IbNetwork& network, std::size_t self, const IbPort& port,
                const IbPort& other) {
  const std::string there = " at line " + std::to_string(other.place.line);
  if (other.peer != self || other.peer_port != port.number)
    throw error(port, "leads to port " + std::to_string(port.peer_port) + " of '" +
                          name_of(network.devices[port.peer]) + "', which leads elsewhere" + there);
  if (other.rate != port.rate) throw error(port, "has another rate than its other end" + there);
}

// Makes the fabric of a network, device by device.
class Conversion {
public:
  explicit Conversion(const IbNetwork& network) : network_(network) {}
  Fabric convert();

private:
  void place_devices();
  void connect(std::size_t self, const IbPort& port);
  void add_port(std::size_t ca, std::size_t sw, const IbPort& port, int ca_port);
  void note(int count, const std::string& thing, const std::string& what);
  void sort_hosts();

  const IbNetwork& network_;
  Fabric fabric_;
  std::map<std::size_t, std::size_t> switch_of_;                        // device -> switch
  std::map<std::string, std::size_t> host_of_;                          // name -> host
  std::map<std::size_t, std::pair<std::string, std::string>> adapter_;  // device -> host, hca
  int aggregation_ = 0, nameless_ = 0, routers_ = 0, open_ = 0, one_sided_ = 0;
  Place first_one_sided_;
};

void Conversion::place_devices() {
  std::vector<std::size_t> switches;
  for (std::size_t i = 0; i < network_.devices.size(); ++i) {
    const IbDevice& device = network_.devices[i];
    open_ += device.open_ports;
    if (device.kind == IbKind::Router) {
      ++routers_;
    } else if (device.kind == IbKind::Switch) {
      switches.push_back(i);
    } else if (device.name.find("Aggregation Node") != std::string::npos) {
      ++aggregation_;
    } else if (device.name.empty() ||
               device.name.find("Mellanox Technologies") != std::string::npos) {
      ++nameless_;
    } else {
      const std::size_t space = std::min(device.name.find(' '), device.name.size());
      adapter_[i] = {device.name.substr(0, space), std::string(trim(device.name.substr(space)))};
    }
  }
  std::stable_sort(switches.begin(), switches.end(), [&](std::size_t a, std::size_t b) {
    return natural_less(name_of(network_.devices[a]), name_of(network_.devices[b]));
  });
  for (const std::size_t device : switches) {
    switch_of_[device] = fabric_.switches.size();
    fabric_.switches.push_back({name_of(network_.devices[device]), network_.devices[device].place});
  }
}

void Conversion::add_port(std::size_t ca, std::size_t sw, const IbPort& port, int ca_port) {
  const auto& [host, hca] = adapter_.at(ca);
  const auto [found, added] = host_of_.emplace(host, fabric_.hosts.size());
  if (added) fabric_.hosts.push_back({host, {}, network_.devices[ca].place});
  fabric_.hosts[found->second].ports.push_back(
      {hca + "/" + std::to_string(ca_port), switch_of_.at(sw), port.rate, port.place});
}

void Conversion::connect(std::size_t self, const IbPort& port) {
  if (port.peer == self) throw error(port, "leads back to its own device");
  const bool up = switch_of_.count(self) != 0, there = switch_of_.count(port.peer) != 0;
  if (up && there)
    fabric_.cables.push_back({switch_of_[self], switch_of_[port.peer], port.rate, port.place});
  else if (up && adapter_.count(port.peer) != 0)
    add_port(port.peer, self, port, port.peer_port);
  else if (there && adapter_.count(self) != 0)
    add_port(self, port.peer, port, port.number);
  else if (!up && !there)
    throw error(port, "joins two adapters without a switch");
  else
    return;  // to a device that is left out
  if (!other_end(network_, port) && one_sided_++ == 0) first_one_sided_ = port.place;
}

void Conversion::note(int count, const std::string& thing, const std::string& what) {
  if (count > 0) fabric_.notes.push_back(counted(count, thing) + " " + what);
}

void Conversion::sort_hosts() {
  for (Fabric::Host& host : fabric_.hosts)
    std::stable_sort(host.ports.begin(), host.ports.end(),
                     [](const auto& a, const auto& b) { return natural_less(a.hca, b.hca); });
  std::stable_sort(fabric_.hosts.begin(), fabric_.hosts.end(),
                   [](const auto& a, const auto& b) { return natural_less(a.name, b.name); });
}

Fabric Conversion::convert() {
  place_devices();
  for (std::size_t i = 0; i < network_.devices.size(); ++i)
    for (const IbPort& port : network_.devices[i].ports)
      if (i <= port.peer || !other_end(network_, port)) connect(i, port);  // each cable once
  sort_hosts();
  fabric_.cables_listed = true;
  fabric_.network = "infiniband";
  note(aggregation_, "aggregation node", "(SHARP) of switches: no hosts, ignored");
  note(nameless_, "adapter", "named by the maker only: of no known host, ignored");
  note(routers_, "router", "to other subnets: ignored");
  note(open_, "port", "without a cable: ignored");
  note(one_sided_, "cable",
       "listed at one end only, the first at " + to_string(first_one_sided_) + ": kept");
  return std::move(fabric_);
}

}  // namespace

void check_cables(const IbNetwork& network) {
  for (std::size_t i = 0; i < network.devices.size(); ++i) {
    const IbDevice& device = network.devices[i];
    if (device.listed && device.ports.empty() && device.open_ports == 0)
      throw InputError(device.place, "", "'" + name_of(device) + "' has no connected port");
    for (const IbPort& port : device.ports) {
      if (const IbPort* other = other_end(network, port)) check_ends(network, i, port, *other);
    }
  }
}

Bandwidth ib_rate(const std::string& width, const std::string& speed) {
  const std::vector<std::string> widths = {"1x", "2x", "4x", "8x", "12x"};
  if (std::find(widths.begin(), widths.end(), width) == widths.end()) return {};
  const double lanes = parse_double(width.substr(0, width.size() - 1)).value_or(0);
  for (const LaneSpeed& lane : kSpeeds)
    if (speed == lane.name) return gigabits_per_second(lanes * lane.gigabits);
  return {};
}

std::string ib_speeds() {
  std::vector<std::string> names;
  for (const LaneSpeed& lane : kSpeeds) names.emplace_back(lane.name);
  return join(names);
}

Fabric to_fabric(const IbNetwork& network) { return Conversion(network).convert(); }

}  // namespace trainyard
