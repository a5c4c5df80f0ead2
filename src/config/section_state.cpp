#include "config/section_state.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace trainyard {

const YamlEntry* Section::State::look(const std::string& key) {
  if (std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
  return find_entry(*node, key);
}

const YamlEntry* Section::State::read_entry(const std::string& key) {
  read.insert(key);
  return look(key);
}

// A required key that is missing is most often there, misspelt: then that is the better message.
const YamlEntry& Section::State::require(const std::string& key) {
  if (const YamlEntry* entry = read_entry(key)) return *entry;
  for (const YamlEntry& entry : node->entries)
    if (read.count(entry.key) == 0 && !near_match(entry.key, {key}).empty())
      throw unknown_key(entry, {key});
  throw InputError(node->place, child_path(key), "is required and missing");
}

const std::string& Section::State::scalar(const std::string& key) {
  const YamlEntry& entry = require(key);
  if (entry.value.kind != YamlNode::Kind::Scalar)
    throw error(key, "must be a single value, got " + describe(entry.value));
  record(key, entry.value.scalar);
  return entry.value.scalar;
}

std::string Section::State::child_path(const std::string& key) const {
  return path.empty() ? key : path + "." + key;
}

void Section::State::record(const std::string& key, const std::string& value) {
  find_or_add(*resolved, key) = {YamlNode::Kind::Scalar, value, {}, {}};
}

Place Section::State::place(const std::string& key) const {
  const YamlEntry* entry = find_entry(*node, key);
  if (entry == nullptr) return node->place;
  return entry->value.kind == YamlNode::Kind::Null ? entry->place : entry->value.place;
}

InputError Section::State::error(const std::string& key, const std::string& problem) const {
  return InputError(place(key), child_path(key), problem);
}

InputError Section::State::unknown_key(const YamlEntry& entry,
                                       const std::vector<std::string>& expected) const {
  if (std::find(expected.begin(), expected.end(), entry.key) != expected.end())
    return InputError(entry.place, child_path(entry.key), "has no effect here");  // only looked at
  return InputError(entry.place, child_path(entry.key),
                    "unknown key" + suggestion(entry.key, expected));
}

Section Section::State::child(const YamlEntry& entry, const std::string& name,
                              YamlNode& copy) const {
  const bool mapping = entry.value.kind == YamlNode::Kind::Mapping;
  if (!mapping)
    throw InputError(entry.value.kind == YamlNode::Kind::Null ? entry.place : entry.value.place,
                     child_path(name), "must be a mapping, got " + describe(entry.value));
  copy.kind = YamlNode::Kind::Mapping;
  auto state = std::make_unique<State>();
  state->file = file;
  state->path = child_path(name);
  state->node = std::make_shared<const YamlNode>(entry.value);
  state->resolved = std::shared_ptr<YamlNode>(resolved, &copy);
  return Section(std::move(state));
}

}  // namespace trainyard
