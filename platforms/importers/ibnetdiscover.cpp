#include "platforms/importers/ibnetdiscover.hpp"

#include "base/text.hpp"
#include "platforms/importers/ib_devices.hpp"
#include "platforms/importers/line_cursor.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard {

namespace {

constexpr int kMostPorts = 254;  // a port is 8 bits, 255 is no port
constexpr int kMostLids = 65535;

// Of the words of -p: SW, CA and RT.
IbKind kind_of(std::string_view word) {
  if (word == "SW") return IbKind::Switch;
  return word == "CA" ? IbKind::Ca : IbKind::Router;
}

// Reads both forms.
class Reader {
public:
  explicit Reader(const std::string& file) : file_(file) {}
  void take(const TextLine& line);
  IbNetwork finish() { return devices_.take(); }

private:
  void take_header(LineCursor& cursor, const std::string& word, const Place& place);
  void take_assignment(LineCursor& cursor, const std::string& key);
  void take_port(LineCursor& cursor);
  void take_pair(LineCursor& cursor, IbKind kind, const Place& place);
  Bandwidth read_rate(LineCursor& cursor, std::string_view width, std::string_view speed);

  const std::string& file_;
  IbDevices devices_;
  std::size_t current_ = 0;  // the device whose ports follow
  bool any_ = false;
};

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
  current_ = devices_.quoted(cursor);
  if (devices_[current_].listed)
    throw cursor.error_at(id, word + " is listed a second time, first at line " +
                                  std::to_string(devices_[current_].place.line));
  devices_.list(current_, place);
  any_ = true;
  if (cursor.accept('#') && cursor.next_is('"')) devices_.name(current_, cursor.quoted('"'));
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
  port.peer = devices_.quoted(cursor);
  port.peer_port = bracketed();
  if (cursor.accept('(')) cursor.up_to(")"), cursor.expect(')');
  cursor.expect('#');
  while (!cursor.at_end() && port.rate == Bandwidth()) {
    if (cursor.next_is('"')) {
      devices_.name(port.peer, cursor.quoted('"'));
      continue;
    }
    const std::string_view word = cursor.word();
    const std::size_t x = word.find('x');
    if (x != std::string_view::npos && x > 0 && std::isdigit(static_cast<unsigned char>(word[0])))
      port.rate = read_rate(cursor, word.substr(0, x + 1), word.substr(x + 1));
  }
  if (port.rate == Bandwidth()) throw cursor.error("the port has no rate such as 4xNDR");
  devices_.add_port(current_, port);
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
  const std::size_t self = devices_.of_0x(cursor, kind);
  if (!devices_[self].listed) devices_.list(self, port.place);
  const std::string_view width = cursor.word(), speed = cursor.word();
  if (!cursor.accept('-')) {
    devices_.note_open_port(self);
    return devices_.name(self, cursor.next_is('\'') ? cursor.quoted('\'') : cursor.rest());
  }
  port.rate = read_rate(cursor, width, speed);
  const std::string_view peer = cursor.word();
  if (peer != "SW" && peer != "CA" && peer != "RT")
    throw cursor.error_at(peer, "expected SW, CA or RT, found '" + printable(peer) + "'");
  port.peer_port = lid_and_port();
  port.peer = devices_.of_0x(cursor, kind_of(peer));
  cursor.expect('(');
  devices_.name(self, cursor.quoted('\''));
  cursor.expect('-');
  devices_.name(port.peer, cursor.quoted('\''));
  cursor.expect(')');
  devices_.add_port(self, port);
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
