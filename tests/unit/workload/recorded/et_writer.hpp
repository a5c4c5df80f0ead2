// Writes Chakra execution traces byte by byte, so that tests need no protobuf compiler.
#pragma once

#include <cstdint>
#include <string>

namespace trainyard::testing {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
  return bytes + static_cast<char>(value);
}
inline std::string number_field(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
inline std::string held_field(int field, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}
inline std::string fixed_field(int field, std::uint64_t bits, int bytes) {
  std::string text = varint(static_cast<std::uint64_t>(field) << 3 | (bytes == 8 ? 1U : 5U));
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(bits >> (8 * i) & 0xff);
  return text;
}

// An attribute whose value is a field as above.
inline std::string attribute(const std::string& name, const std::string& value) {
  return held_field(10, held_field(1, name) + value);
}
inline std::string flag(const std::string& name, bool value) {
  return attribute(name, number_field(27, value ? 1 : 0));
}
inline std::string int64(const std::string& name, std::int64_t value) {
  return attribute(name, number_field(9, static_cast<std::uint64_t>(value)));
}

// A message as it stands in a trace, its length before it.
inline std::string message(const std::string& bytes) { return varint(bytes.size()) + bytes; }
inline std::string metadata() { return message(held_field(1, "0.0.4")); }
inline std::string node(std::uint64_t id, const std::string& name, int type,
                        const std::string& rest) {
  return message(number_field(1, id) + held_field(2, name) +
                 number_field(3, static_cast<std::uint64_t>(type)) + rest);
}
inline std::string waits_for(std::uint64_t id) { return held_field(5, varint(id)); }

constexpr int kCompute = 4, kSend = 5, kReceive = 6, kCollective = 7;  // NodeType

}  // namespace trainyard::testing
