#include "platforms/importers/ibnetdiscover.hpp"

#include "base/text.hpp"
#include "platforms/importers/line_cursor.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace trainyard {

namespace {

constexpr int kMostPorts = 254;  // a port is 8 bits, 255 is no port
constexpr int kMostLids = 65535;

bool is_hexadecimal(std::string_view text) {
  return !text.empty() && text.size() <= 16 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
  });
}

// Of the words of -p: SW, CA and RT.
IbKind kind_of(std::string_view word) {
  if (word == "SW") return IbKind::Switch;
  return word == "CA" ? IbKind::Ca : IbKind::Router;
}

// Reads both forms; a device is known by its GUID from its first mention on.
class Reader {
public:
  explicit Reader(const std::string& file) : file_(file) {}
  void take(const TextLine& line);
  IbNetwork finish() { return std::move(network_); }

private:
  void take_header(LineCursor& cursor, const std::string& word, const Place& place);
  void take_assignment(LineCursor& cursor, const std::string& key);
  void take_port(LineCursor& cursor);
  void take_pair(LineCursor& cursor, IbKind kind, const Place& place);
  std::size_t device(IbKind kind, std::string_view guid, const LineCursor& cursor);
  std::size_t quoted_device(LineCursor& cursor);
  std::size_t device_0x(LineCursor& cursor, IbKind kind);
  void list(std::size_t device, const Place& place);
  void name(std::size_t device, std::string_view text);
  void add_port(std::size_t device, const IbPort& port);
  Bandwidth read_rate(LineCursor& cursor, std::string_view width, std::string_view speed);

  const std::string& file_;
  IbNetwork network_;
  std::map<std::string, std::size_t> by_guid_;
  std::size_t current_ = 0;  // the device whose ports follow
  bool any_ = false;
};

std::size_t Reader::device(IbKind kind, std::string_view guid, const LineCursor& cursor) {
  if (!is_hexadecimal(guid))
    throw cursor.error_at(
        guid, "expected a GUID of up to 16 hexadecimal digits, found '" + printable(guid) + "'");
  std::string key(guid.substr(std::min(guid.find_first_not_of('0'), guid.size() - 1)));
  for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto [found, added] = by_guid_.emplace(key, network_.devices.size());
  if (added) {
    IbDevice fresh;
    fresh.kind = kind;
    fresh.guid = key;
    fresh.place = cursor.place_of(guid);
    network_.devices.push_back(std::move(fresh));
  } else if (network_.devices[found->second].kind != kind) {
    throw cursor.error_at(guid, "the GUID " + key + " was another kind of device at line " +
                                    std::to_string(network_.devices[found->second].place.line));
  }
  return found->second;
}

// "S-0ff08c43213b3f30"
std::size_t Reader::quoted_device(LineCursor& cursor) {
  const std::string_view id = cursor.quoted('"');
  const std::string_view kinds = "SHR";
  const std::size_t kind = id.size() > 2 && id[1] == '-' ? kinds.find(id[0]) : std::string::npos;
  if (kind == std::string::npos)
    throw cursor.error_at(
        id, "expected a device such as \"S-0ff08c43213b3f30\", found \"" + printable(id) + "\"");
  return device(static_cast<IbKind>(kind), id.substr(2), cursor);
}

std::size_t Reader::device_0x(LineCursor& cursor, IbKind kind) {
  const std::string_view word = cursor.word();
  const bool prefixed = word.substr(0, 2) == "0x";
  return device(kind, prefixed ? word.substr(2) : word, cursor);
}

void Reader::list(std::size_t index, const Place& place) {
  IbDevice& device = network_.devices[index];
  device.listed = true;
  device.place = place;
}

void Reader::name(std::size_t index, std::string_view text) {
  std::string& name = network_.devices[index].name;
  if (name.empty()) name = std::string(trim(text));
}

void Reader::add_port(std::size_t index, const IbPort& port) {
  for (const IbPort& other : network_.devices[index].ports)
    if (other.number == port.number)
      throw InputError(port.place, "",
                       "port " + std::to_string(port.number) +
                           " of this device is listed already, at line " +
                           std::to_string(other.place.line));
  network_.devices[index].ports.push_back(port);
}

Bandwidth Reader::read_rate(LineCursor& cursor, std::string_view width, std::string_view speed) {
  const Bandwidth rate = ib_rate(std::string(width), std::string(speed));
  if (rate > Bandwidth()) return rate;
  throw cursor.error_at(width, "unknown rate '" + printable(width) + "' '" + printable(speed) +
                                   "'; widths: 1x, 2x, 4x, 8x, 12x; speeds: " + ib_speeds());
}

// Switch  41 "S-..."  # "name" base port 0 lid 387 lmc 0
void Reader::take_header(LineCursor& cursor, const std::string& word, const Place& place) {
  cursor.number("the number of ports", 1, kMostPorts);
  cursor.skip_space();
  const std::string_view id = cursor.rest();
  current_ = quoted_device(cursor);
  if (network_.devices[current_].listed)
    throw cursor.error_at(id, word + " is listed a second time, first at line " +
                                  std::to_string(network_.devices[current_].place.line));
  list(current_, place);
  any_ = true;
  if (cursor.accept('#') && cursor.next_is('"')) name(current_, cursor.quoted('"'));
}

// vendid=0x2c9
void Reader::take_assignment(LineCursor& cursor, const std::string& key) {
  static const std::vector<std::string> known = {"vendid",     "devid",  "sysimgguid",
                                                 "switchguid", "caguid", "rtguid"};
  if (std::find(known.begin(), known.end(), key) == known.end())
    throw cursor.error("unknown key '" + printable(key) + "'" + suggestion(key, known));
}

// [1](guid)  "S-..."[21]   # lid 226 lmc 0 "name" lid 556 4xHDR s=4 w=2
void Reader::take_port(LineCursor& cursor) {
  IbPort port;
  port.place = cursor.place();
  if (!any_) throw cursor.error("a port, but no Switch or Ca stands before it");
  const auto bracketed = [&] {
    cursor.expect('[');
    const auto number = static_cast<int>(cursor.number("a port", 0, kMostPorts));
    cursor.expect(']');
    return number;
  };
  port.number = bracketed();
  if (cursor.accept('(')) cursor.up_to(")"), cursor.expect(')');
  if (cursor.accept('[')) cursor.up_to("]"), cursor.expect(']');  // [ext 3], of a chassis
  port.peer = quoted_device(cursor);
  port.peer_port = bracketed();
  if (cursor.accept('(')) cursor.up_to(")"), cursor.expect(')');
  cursor.expect('#');
  while (!cursor.at_end() && port.rate == Bandwidth()) {
    if (cursor.next_is('"')) {
      name(port.peer, cursor.quoted('"'));
      continue;
    }
    const std::string_view word = cursor.word();
    const std::size_t x = word.find('x');
    if (x != std::string_view::npos && x > 0 && std::isdigit(static_cast<unsigned char>(word[0])))
      port.rate = read_rate(cursor, word.substr(0, x + 1), word.substr(x + 1));
  }
  if (port.rate == Bandwidth()) throw cursor.error("the port has no rate such as 4xNDR");
  add_port(current_, port);
}

// CA  134  1 0x7c.. 4x EDR - SW  1719 10 0x7c.. ( 'o1 HCA-1' - 'leaf1' ), or without a peer:
// SW 2052 37 0x50.. 4x ???   'leaf1'
void Reader::take_pair(LineCursor& cursor, IbKind kind, const Place& place) {
  IbPort port;
  port.place = place;
  const auto lid_and_port = [&] {
    cursor.number("a LID", 0, kMostLids);
    return static_cast<int>(cursor.number("a port", 0, kMostPorts));
  };
  port.number = lid_and_port();
  const std::size_t self = device_0x(cursor, kind);
  if (!network_.devices[self].listed) list(self, port.place);
  const std::string_view width = cursor.word(), speed = cursor.word();
  if (!cursor.accept('-')) {
    ++network_.devices[self].open_ports;
    return name(self, cursor.next_is('\'') ? cursor.quoted('\'') : cursor.rest());
  }
  port.rate = read_rate(cursor, width, speed);
  const std::string_view peer = cursor.word();
  if (peer != "SW" && peer != "CA" && peer != "RT")
    throw cursor.error_at(peer, "expected SW, CA or RT, found '" + printable(peer) + "'");
  port.peer_port = lid_and_port();
  port.peer = device_0x(cursor, kind_of(peer));
  cursor.expect('(');
  name(self, cursor.quoted('\''));
  cursor.expect('-');
  name(port.peer, cursor.quoted('\''));
  cursor.expect(')');
  add_port(self, port);
}

void Reader::take(const TextLine& line) {
  LineCursor cursor(file_, line);
  if (cursor.at_end() || cursor.next_is('#')) return;
  if (cursor.next_is('[')) return take_port(cursor);
  LineCursor ahead = cursor;
  const std::string key(ahead.up_to("= \t"));
  if (ahead.next_is('=')) return take_assignment(cursor, key);
  const Place place = cursor.place();
  const std::string word(cursor.word());
  if (word == "Switch" || word == "Ca" || word == "Rt") return take_header(cursor, word, place);
  if (word == "SW" || word == "CA" || word == "RT") return take_pair(cursor, kind_of(word), place);
  if (word == "Chassis" || word == "Non-Chassis") return;  // headlines of ibnetdiscover -g
  throw ahead.error_at(line.text, "unknown line '" + printable(word) + "'" +
                                      suggestion(word, {"Switch", "Ca", "Rt", "SW", "CA", "RT"}));
}

}  // namespace

IbNetwork parse_ibnetdiscover(const std::string& file, const std::string& text) {
  Reader reader(file);
  for (const TextLine& line : lines_of(file, text)) reader.take(line);
  IbNetwork network = reader.finish();
  check_cables(network);
  return network;
}

}  // namespace trainyard
