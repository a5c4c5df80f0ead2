// What stands behind a Section: one mapping of the file and its counterpart in the resolved copy.
//
// The mapping is the section's own; the copy is shared with the document, which writes it out. Both
// stay valid whatever becomes of the document.
#pragma once

#include "config/section.hpp"
#include "config/yaml_tree.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace trainyard {

struct Section::State {
  std::string file;  // relative paths in the experiment are relative to its folder
  std::string path;  // dotted, "" at the root
  std::shared_ptr<const YamlNode> node;
  std::shared_ptr<YamlNode> resolved;
  std::vector<std::string> known;  // every key asked for, present or not: for "did you mean"
  std::set<std::string> read;

  const YamlEntry* look(const std::string& key);  // nullptr if absent; does not count as reading
  const YamlEntry* read_entry(const std::string& key);   // nullptr if absent
  const YamlEntry& require(const std::string& key);      // throws if absent
  const std::string& scalar(const std::string& key);     // require() a scalar, and record it
  std::string child_path(const std::string& key) const;  // dotted
  void record(const std::string& key, const std::string& value);
  Place place(const std::string& key) const;
  InputError error(const std::string& key, const std::string& problem) const;
  InputError unknown_key(const YamlEntry& entry, const std::vector<std::string>& expected) const;

  // The section over the entry's value, which must be a mapping; `name` is "key" or "key[2]".
  Section child(const YamlEntry& entry, const std::string& name, YamlNode& copy) const;
};

}  // namespace trainyard
