#include "config/section.hpp"

#include "base/text.hpp"
#include "config/section_state.hpp"

#include <filesystem>

namespace trainyard {

Section::Section(std::unique_ptr<State> state) : state_(std::move(state)) {}
Section::~Section() = default;
Section::Section(Section&&) noexcept = default;

bool Section::has(const std::string& key) const { return state_->look(key) != nullptr; }

std::vector<std::string> Section::keys() const {
  std::vector<std::string> result;
  for (const YamlEntry& entry : state_->node->entries) result.push_back(entry.key);
  return result;
}

namespace {

bool is_a(const YamlEntry* entry, YamlNode::Kind kind) {
  return entry != nullptr && entry->value.kind == kind;
}

}  // namespace

bool Section::is_scalar(const std::string& key) const {
  return is_a(state_->look(key), YamlNode::Kind::Scalar);
}
bool Section::is_list(const std::string& key) const {
  return is_a(state_->look(key), YamlNode::Kind::List);
}
bool Section::is_section(const std::string& key) const {
  return is_a(state_->look(key), YamlNode::Kind::Mapping);
}

Section Section::section(const std::string& key) {
  const YamlEntry& entry = state_->require(key);
  return state_->child(entry, key, find_or_add(*state_->resolved, key));
}

std::optional<Section> Section::maybe_section(const std::string& key) {
  if (state_->read_entry(key) == nullptr) return std::nullopt;
  return section(key);
}

Section Section::section_or_empty(const std::string& key) {
  if (state_->read_entry(key) != nullptr) return section(key);
  const YamlNode empty{YamlNode::Kind::Mapping, "", {}, state_->node->place};
  return state_->child({key, empty.place, empty}, key, find_or_add(*state_->resolved, key));
}

std::vector<Section> Section::sections(const std::string& key) {
  const YamlEntry& list = state_->require(key);
  if (list.value.kind != YamlNode::Kind::List)
    throw error(key, "must be a list of mappings, got " + describe(list.value));
  YamlNode& copies = find_or_add(*state_->resolved, key);
  copies.kind = YamlNode::Kind::List;
  copies.entries.resize(list.value.entries.size());
  std::vector<Section> result;
  auto copy = copies.entries.begin();
  for (const YamlEntry& item : list.value.entries) {
    const std::string name = key + "[" + std::to_string(result.size()) + "]";
    result.push_back(state_->child(item, name, (copy++)->value));
  }
  return result;
}

std::vector<std::string> Section::texts(const std::string& key) {
  const YamlEntry& list = state_->require(key);
  if (list.value.kind != YamlNode::Kind::List)
    throw error(key, "must be a list, got " + describe(list.value));
  YamlNode copy{YamlNode::Kind::List, "", {}, {}};
  std::vector<std::string> result;
  for (const YamlEntry& item : list.value.entries) {
    if (item.value.kind != YamlNode::Kind::Scalar)
      throw InputError(item.value.place, path(key) + "[" + std::to_string(result.size()) + "]",
                       "must be a single value, got " + describe(item.value));
    result.push_back(item.value.scalar);
    copy.entries.push_back({"", {}, {YamlNode::Kind::Scalar, item.value.scalar, {}, {}}});
  }
  find_or_add(*state_->resolved, key) = std::move(copy);
  return result;
}

void Section::finish() {
  for (const YamlEntry& entry : state_->node->entries)
    if (state_->read.count(entry.key) == 0) throw state_->unknown_key(entry, state_->known);
}

InputError Section::error(const std::string& problem) const {
  return InputError(state_->node->place, state_->path, problem);
}
InputError Section::error(const std::string& key, const std::string& problem) const {
  return state_->error(key, problem);
}
InfeasibleError Section::infeasible(const std::string& key, const std::string& problem) const {
  return InfeasibleError(place(key), path(key), problem);
}
Place Section::place(const std::string& key) const { return state_->place(key); }
std::string Section::path(const std::string& key) const { return state_->child_path(key); }

std::string Section::resolve_path(const std::string& relative) const {
  const std::filesystem::path folder = std::filesystem::path(state_->file).parent_path();
  return (folder / relative).lexically_normal().string();
}

}  // namespace trainyard
