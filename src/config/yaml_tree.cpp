#include "config/yaml_tree.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace trainyard {

namespace {

Place place_of_byte(const std::string& text, std::size_t offset, const std::string& file) {
  Place place{file, 1, 1};
  for (const char c : std::string_view(text).substr(0, offset)) {
    if (c == '\n') ++place.line, place.column = 0;
    if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80) ++place.column;  // whole characters
  }
  return place;
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

}  // namespace

void check_characters(const std::string& text, const std::string& file) {
  const std::size_t end = invalid_utf8(text).value_or(text.size());
  const char* found = std::find_if(text.data(), text.data() + end, is_control);
  const auto offset = static_cast<std::size_t>(found - text.data());
  if (offset == text.size()) return;
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", static_cast<unsigned char>(text[offset]));
  throw InputError(place_of_byte(text, offset, file), "",
                   "byte " + std::string(byte) +
                       (offset == end ? " is not valid UTF-8" : " is a control character"));
}

const YamlEntry* find_entry(const YamlNode& mapping, const std::string& key) {
  const auto found = std::find_if(mapping.entries.begin(), mapping.entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key == key; });
  return found == mapping.entries.end() ? nullptr : &*found;
}

YamlNode& find_or_add(YamlNode& mapping, const std::string& key) {
  for (YamlEntry& entry : mapping.entries)
    if (entry.key == key) return entry.value;
  return mapping.entries.emplace_back(YamlEntry{key, {}, {}}).value;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::Scalar:
      return "'" + node.scalar + "'";
    case YamlNode::Kind::List:
      return "a list";
    case YamlNode::Kind::Mapping:
      return "a mapping";
    case YamlNode::Kind::Null:
      break;
  }
  return "nothing";
}

}  // namespace trainyard
