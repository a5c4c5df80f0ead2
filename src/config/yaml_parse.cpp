#include "config/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

namespace trainyard {

namespace {

// Aliases multiply: nine levels of nine aliases each are a gigabyte from one kilobyte.
constexpr int kMaxNodes = 1'000'000;
constexpr std::size_t kMaxDepth = 100;

// Builds the tree from yaml-cpp's events, which carry the marks and tags that its nodes lose.
class TreeBuilder final : public YAML::EventHandler {
public:
  explicit TreeBuilder(std::string file) : file_(std::move(file)) {}
  YamlNode take() { return std::move(root_); }
  Place place(const YAML::Mark& mark) const {  // yaml-cpp counts from zero; -1 is "unknown"
    return {file_, mark.line + 1, mark.column + 1};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0)
      throw InputError(place(mark), "", "a second YAML document; one file holds one");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    accept({YamlNode::Kind::Null, "", {}, place(mark)}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    if (tag == "?" && value == "<<")
      throw error(place(mark), "merge keys ('<<') are not supported; write the keys out");
    accept({YamlNode::Kind::Scalar, value, {}, place(mark)}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto anchored = anchors_.find(anchor);
    if (anchored == anchors_.end())
      throw error(place(mark), "an alias inside the value that it stands for");
    count(anchored->second, place(mark));
    accept(anchored->second, YAML::NullAnchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(YamlNode::Kind::List, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(YamlNode::Kind::Mapping, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

private:
  // A list or mapping whose end has not come yet.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    std::set<std::string> keys;
    std::optional<YamlNode> key;  // waits for its value
  };

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    refuse_tag(mark, tag);
    if (open_.size() >= kMaxDepth) throw error(place(mark), "nested too deeply");
    open_.push_back({{kind, "", {}, place(mark)}, anchor, {}, {}});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    accept(std::move(done.node), done.anchor);
  }

  void accept(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::List) {
      const Place place = node.place;
      parent.node.entries.push_back({"", place, std::move(node)});
    } else if (!parent.key) {
      accept_key(parent, std::move(node));
    } else {
      parent.node.entries.push_back({parent.key->scalar, parent.key->place, std::move(node)});
      parent.key.reset();
    }
  }

  void accept_key(Open& mapping, YamlNode key) {
    if (key.kind != YamlNode::Kind::Scalar)
      throw error(key.place, "a key must be a single word, got " + describe(key));
    if (!mapping.keys.insert(key.scalar).second) {
      const Place first = find_entry(mapping.node, key.scalar)->place;
      mapping.key = key;  // so that the path names it
      throw error(key.place, "duplicate key; first given in line " + std::to_string(first.line));
    }
    mapping.key = std::move(key);
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")  // yaml-cpp's "plain" and "quoted"
      throw error(place(mark), "tags are not supported, got '" + tag + "'");
  }

  void count(const YamlNode& node, const Place& alias) {
    if (++nodes_ > kMaxNodes) throw error(alias, "aliases make this file too large");
    for (const YamlEntry& entry : node.entries) count(entry.value, alias);
  }

  InputError error(const Place& where, const std::string& problem) const {
    std::string path;
    for (const Open& open : open_) {
      if (open.node.kind == YamlNode::Kind::List)
        path += "[" + std::to_string(open.node.entries.size()) + "]";
      else if (open.key)
        path += (path.empty() ? "" : ".") + open.key->scalar;
    }
    return InputError(where, path, problem);
  }

  std::string file_;
  YamlNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  int documents_ = 0;
  int nodes_ = 0;
};

// yaml-cpp has no message of its own for the most common mistake.
bool is_indented_by_tab(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string found;
  for (int i = 0; i <= line; ++i) std::getline(lines, found);
  return found.substr(0, found.find_first_not_of(" \t")).find('\t') != std::string::npos;
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& file) {
  check_characters(text, file);
  std::istringstream input(text);
  TreeBuilder builder(file);
  try {
    YAML::Parser parser(input);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::Exception& e) {
    const bool tab = is_indented_by_tab(text, e.mark.line);
    throw InputError(builder.place(e.mark), "",
                     "not valid YAML: " + (tab ? "a tab in the indentation; use spaces" : e.msg));
  }
  return builder.take();
}

}  // namespace trainyard
