// A YAML document as plain data: what sections read, and what the resolved copy is made of.
//
// Not all of YAML: parse_yaml() expands aliases and refuses tags, merge keys, duplicate keys and
// keys that are not plain words. yaml-cpp itself appears in yaml_parse.cpp only.
//
// INVARIANT: the keys of a mapping are distinct; an entry stays where it is while others are added
// (a list, not a vector), so that a section may point to it.
#pragma once

#include "base/error.hpp"

#include <list>
#include <string>

namespace trainyard {

struct YamlEntry;

struct YamlNode {
  enum class Kind { Null, Scalar, List, Mapping };
  Kind kind = Kind::Null;
  std::string scalar;
  std::list<YamlEntry> entries;  // of a mapping or list, in the file's order
  Place place;
};

struct YamlEntry {
  std::string key;  // "" in a list
  Place place;      // of the key
  YamlNode value;
};

// The entry of that key, or nullptr.
const YamlEntry* find_entry(const YamlNode& mapping, const std::string& key);
YamlNode& find_or_add(YamlNode& mapping, const std::string& key);

// "'text'", "a list", "a mapping", "nothing": how an error names what it got.
std::string describe(const YamlNode& node);

// InputError at the first byte that is not UTF-8 or is a control character other than tab and the
// ends of lines (yaml-cpp takes 0x04 for the end of the file).
void check_characters(const std::string& text, const std::string& file);

// The only document of `text`; Null if it is empty. InputError for whatever is not valid.
YamlNode parse_yaml(const std::string& text, const std::string& file);

// YAML that parse_yaml() reads back as the same tree.
std::string write_yaml(const YamlNode& mapping);

}  // namespace trainyard
