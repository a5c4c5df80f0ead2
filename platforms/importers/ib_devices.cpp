#include "platforms/importers/ib_devices.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard {

namespace {

bool is_hexadecimal(std::string_view text) {
  return !text.empty() && text.size() <= 16 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
  });
}

}  // namespace

std::size_t IbDevices::of_guid(IbKind kind, std::string_view guid, const LineCursor& cursor) {
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
std::size_t IbDevices::quoted(LineCursor& cursor) {
  const std::string_view id = cursor.quoted('"');
  const std::string_view kinds = "SHR";
  const std::size_t kind = id.size() > 2 && id[1] == '-' ? kinds.find(id[0]) : std::string::npos;
  if (kind == std::string::npos)
    throw cursor.error_at(
        id, "expected a device such as \"S-0ff08c43213b3f30\", found \"" + printable(id) + "\"");
  return of_guid(static_cast<IbKind>(kind), id.substr(2), cursor);
}

std::size_t IbDevices::of_0x(LineCursor& cursor, IbKind kind) {
  const std::string_view word = cursor.word();
  const bool prefixed = word.substr(0, 2) == "0x";
  return of_guid(kind, prefixed ? word.substr(2) : word, cursor);
}

void IbDevices::list(std::size_t index, const Place& place) {
  IbDevice& device = network_.devices[index];
  device.listed = true;
  device.place = place;
}

void IbDevices::name(std::size_t index, std::string_view text) {
  std::string& name = network_.devices[index].name;
  if (name.empty()) name = std::string(trim(text));
}

void IbDevices::add_port(std::size_t index, const IbPort& port) {
  for (const IbPort& other : network_.devices[index].ports)
    if (other.number == port.number)
      throw InputError(port.place, "",
                       "port " + std::to_string(port.number) +
                           " of this device is listed already, at line " +
                           std::to_string(other.place.line));
  network_.devices[index].ports.push_back(port);
}

}  // namespace trainyard
