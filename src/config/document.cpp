#include "base/text.hpp"
#include "config/section.hpp"
#include "config/section_state.hpp"
#include "config/yaml_tree.hpp"

namespace trainyard {

struct Document::State {
  std::string file;
  YamlNode root;
  std::shared_ptr<YamlNode> resolved;
};

Document::Document(std::unique_ptr<State> state) : state_(std::move(state)) {}
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Document Document::load(const std::string& file) { return parse(read_file(file), file); }

Document Document::parse(const std::string& yaml, const std::string& file_name) {
  YamlNode root = parse_yaml(yaml, file_name);
  if (root.kind == YamlNode::Kind::Null)
    throw InputError({file_name}, "", "is empty; a mapping of keys to values is required");
  if (root.kind != YamlNode::Kind::Mapping)
    throw InputError(root.place, "", "must be a mapping of keys to values, got " + describe(root));
  auto state = std::make_unique<State>();
  state->file = file_name;
  state->root = std::move(root);
  return Document(std::move(state));
}

Section Document::root() {
  state_->resolved = std::make_shared<YamlNode>();
  state_->resolved->kind = YamlNode::Kind::Mapping;
  auto section = std::make_unique<Section::State>();
  section->file = state_->file;
  section->node = std::make_shared<const YamlNode>(state_->root);
  section->resolved = state_->resolved;
  return Section(std::move(section));
}

namespace {

// What comes from the command line has no line and column.
void relocate(YamlNode& node, const Place& place) {
  node.place = place;
  for (YamlEntry& entry : node.entries) relocate(entry.value, place), entry.place = place;
}

const Place kCommandLine{"--set"};

YamlNode parse_value(const std::string& dotted_path, const std::string& value) {
  YamlNode node;
  try {
    node = parse_yaml(value, kCommandLine.file);
  } catch (const InputError&) {
    node.kind = YamlNode::Kind::Mapping;  // neither: refused below
  }
  if (node.kind == YamlNode::Kind::Mapping)
    throw InputError(kCommandLine, dotted_path,
                     "'" + value + "' is neither a single value nor a list; quote it?");
  relocate(node, kCommandLine);
  return node;
}

// The entry of a list that a number names, from 0.
YamlNode& enter_list(YamlNode& list, const std::string& key, const std::string& dotted_path,
                     const Place& from) {
  const std::size_t count = list.entries.size();
  std::size_t index = count;
  if (key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos)
    index = std::stoul(key);
  if (index >= count)
    throw InputError(from, dotted_path,
                     "'" + key +
                         "' is looked for in a list; its entries count from 0 and there "
                         "are " +
                         std::to_string(count));
  return std::next(list.entries.begin(), static_cast<std::ptrdiff_t>(index))->value;
}

// The node at `key`, ready to hold a value; created where it is absent.
YamlNode& enter(YamlNode& node, const std::string& key, const std::string& dotted_path,
                const Place& from) {
  if (key.empty()) throw InputError(from, dotted_path, "has an empty part");
  if (node.kind == YamlNode::Kind::List) return enter_list(node, key, dotted_path, from);
  if (node.kind == YamlNode::Kind::Null) node.kind = YamlNode::Kind::Mapping;
  if (node.kind != YamlNode::Kind::Mapping)
    throw InputError(from, dotted_path,
                     "'" + key + "' is looked for in " + describe(node) + ", not in a mapping");
  const bool known = find_entry(node, key) != nullptr;
  YamlNode& child = find_or_add(node, key);
  if (!known) relocate(node.entries.back().value, from), node.entries.back().place = from;
  return child;
}

// `root` with `value`, which has its place already, at the dotted path.
YamlNode with(YamlNode root, const std::string& dotted_path, YamlNode value) {
  YamlNode* node = &root;
  for (const std::string& key : split(dotted_path, '.'))
    node = &enter(*node, key, dotted_path, value.place);
  *node = std::move(value);
  return root;
}

}  // namespace

void Document::set(const std::string& dotted_path, const std::string& value) {
  state_->root = with(state_->root, dotted_path, parse_value(dotted_path, value));
}

void Document::set_text(const std::string& dotted_path, const std::string& text,
                        const Place& from) {
  state_->root = with(state_->root, dotted_path, {YamlNode::Kind::Scalar, text, {}, from});
}

void Document::remove(const std::string& key) {
  state_->root.entries.remove_if([&key](const YamlEntry& entry) { return entry.key == key; });
}

std::string Document::text() const { return write_yaml(state_->root); }

std::string Document::resolved() const {
  return state_->resolved ? write_yaml(*state_->resolved) : "{}\n";
}

}  // namespace trainyard
