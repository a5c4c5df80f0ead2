#include "config/yaml_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace trainyard {

namespace {

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Fewer than YAML allows, so that no reader takes the text for anything else.
bool is_plain(std::string_view text) {
  constexpr std::string_view kNulls[] = {"null", "Null", "NULL"};
  if (text.empty() || text.back() == ' ' || text.substr(0, 3) == "...") return false;
  if (std::find(std::begin(kNulls), std::end(kNulls), text) != std::end(kNulls)) return false;
  const bool negative_number = text[0] == '-' && text.size() > 1 && is_alnum(text[1]);
  if (!is_alnum(text[0]) && text[0] != '.' && text[0] != '/' && !negative_number) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || std::string_view(" ./_-+%=").find(c) != std::string_view::npos;
  });
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
    if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += escape;
    else
      result += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
  }
  return result + "\"";
}

std::string scalar(const std::string& text) { return is_plain(text) ? text : quoted(text); }

bool fits_one_line(const YamlNode& node) {
  const auto is_scalar = [](const YamlEntry& e) { return e.value.kind == YamlNode::Kind::Scalar; };
  return node.entries.empty() || (node.kind == YamlNode::Kind::List &&
                                  std::all_of(node.entries.begin(), node.entries.end(), is_scalar));
}

std::string one_line(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::Null) return "~";
  if (node.kind == YamlNode::Kind::Scalar) return scalar(node.scalar);
  if (node.kind == YamlNode::Kind::Mapping) return "{}";
  std::string items;
  for (const YamlEntry& entry : node.entries)
    items += (items.empty() ? "" : ", ") + scalar(entry.value.scalar);
  return "[" + items + "]";
}

std::string block(const YamlNode& node, const std::string& indent) {
  const bool list = node.kind == YamlNode::Kind::List;
  std::string text;
  for (const YamlEntry& entry : node.entries) {
    const std::string head = indent + (list ? "-" : scalar(entry.key) + ":");
    if (fits_one_line(entry.value))
      text += head + " " + one_line(entry.value) + "\n";
    else if (list)  // the item's first line follows the dash
      text += head + " " + block(entry.value, indent + "  ").substr(indent.size() + 2);
    else
      text += head + "\n" + block(entry.value, indent + "  ");
  }
  return text;
}

}  // namespace

std::string write_yaml(const YamlNode& mapping) {
  return mapping.entries.empty() ? "{}\n" : block(mapping, "");
}

}  // namespace trainyard
