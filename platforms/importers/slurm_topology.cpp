#include "platforms/importers/slurm_topology.hpp"

#include "base/text.hpp"
#include "platforms/importers/slurm_record.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace trainyard {

namespace {

InputError error(const Place& place, const std::string& problem) { return {place, "", problem}; }

// Names that stand once, and where.
class Names {
public:
  void claim(const std::string& name, const Place& place, const std::string& what) {
    const auto [existing, added] = places_.emplace(name, place);
    if (!added)
      throw error(place, what + " '" + name + "' stands a second time, first at line " +
                             std::to_string(existing->second.line));
  }

private:
  std::map<std::string, Place> places_;
};

class Reader {
public:
  void take(const SlurmRecord& record) {
    const SlurmOption& first = record.options.front();
    if (first.key == "SwitchName")
      take_switch(record, first);
    else if (first.key == "BlockName")
      take_block(record, first);
    else if (first.key == "BlockSizes")
      take_sizes(record, first);
    else if (first.key == "RingName")
      throw error(first.key_place, "rings (topology/ring) are not modelled; trees and blocks are");
    else
      throw error(first.key_place, "a line begins with SwitchName, BlockName or BlockSizes, not '" +
                                       first.key + "'");
  }

  SlurmTopology finish(const std::string& file);

private:
  enum class Stage { Open, Begun, Done };
  void take_switch(const SlurmRecord& record, const SlurmOption& name);
  void take_block(const SlurmRecord& record, const SlurmOption& name);
  void take_sizes(const SlurmRecord& record, const SlurmOption& sizes);
  std::vector<std::string> nodes_of(const SlurmOption& option);
  static void refuse_others(const SlurmRecord& record, const std::vector<std::string>& allowed);
  void find_children(std::size_t index);
  void set_level(std::size_t index, int above);

  SlurmTopology result_;
  std::vector<const SlurmOption*> children_;  // of each switch; none for a leaf
  std::map<std::string, std::size_t> switches_;
  std::vector<Stage> stage_;  // while levels are found
  Names names_, nodes_;
  int link_speeds_ = 0;
};

void Reader::refuse_others(const SlurmRecord& record, const std::vector<std::string>& allowed) {
  for (const SlurmOption& option : record.options)
    if (std::find(allowed.begin(), allowed.end(), option.key) == allowed.end())
      throw error(option.key_place, "'" + option.key +
                                        "' does not belong to a line that begins with " +
                                        record.options.front().key);
}

std::vector<std::string> Reader::nodes_of(const SlurmOption& option) {
  std::vector<std::string> nodes = hostlist_of(option);
  for (const std::string& node : nodes) nodes_.claim(node, option.value_place, "node");
  return nodes;
}

void Reader::take_switch(const SlurmRecord& record, const SlurmOption& name) {
  refuse_others(record, {"SwitchName", "Nodes", "Switches", "LinkSpeed"});
  const SlurmOption* nodes = record.find("Nodes");
  const SlurmOption* children = record.find("Switches");
  if ((nodes == nullptr) == (children == nullptr))
    throw error(name.key_place, "switch '" + name.value + "' needs Nodes or Switches" +
                                    (nodes ? ", not both" : ""));
  names_.claim(name.value, name.value_place, "switch");
  if (record.find("LinkSpeed")) ++link_speeds_;
  switches_.emplace(name.value, result_.switches.size());
  result_.switches.push_back({name.value, {}, {}, 1, name.value_place});
  if (nodes) result_.switches.back().nodes = nodes_of(*nodes);
  children_.push_back(children);
}

void Reader::take_block(const SlurmRecord& record, const SlurmOption& name) {
  refuse_others(record, {"BlockName", "Nodes"});
  const SlurmOption* nodes = record.find("Nodes");
  if (!nodes) throw error(name.key_place, "block '" + name.value + "' needs Nodes");
  names_.claim(name.value, name.value_place, "block");
  result_.blocks.push_back({name.value, nodes_of(*nodes), name.value_place});
}

void Reader::take_sizes(const SlurmRecord& record, const SlurmOption& sizes) {
  refuse_others(record, {"BlockSizes"});
  if (!result_.block_sizes.empty()) throw error(sizes.key_place, "BlockSizes stands a second time");
  for (const std::string& size : split(sizes.value, ',')) {
    const auto value = parse_integer(size);
    if (!value || *value < 1 || *value > std::numeric_limits<int>::max())
      throw error(sizes.value_place,
                  "a block size is a positive integer, got '" + printable(size) + "'");
    const int first =
        result_.block_sizes.empty() ? static_cast<int>(*value) : result_.block_sizes[0];
    const std::int64_t ratio = *value / first;
    if (*value % first != 0 || (ratio & (ratio - 1)) != 0)
      throw error(
          sizes.value_place,
          "block size " + size + " is no power of two times the first, " + std::to_string(first));
    result_.block_sizes.push_back(static_cast<int>(*value));
  }
}

void Reader::find_children(std::size_t index) {
  const SlurmOption* option = children_[index];
  if (!option) return;
  Names once;
  std::vector<std::string> known;
  for (const std::string& name : hostlist_of(*option)) {
    once.claim(name, option->value_place, "child");
    const auto child = switches_.find(name);
    if (child == switches_.end()) {
      for (const SlurmSwitch& sw : result_.switches) known.push_back(sw.name);
      const std::string near = near_match(name, known);
      throw error(option->value_place, "no switch '" + name + "' in this file" +
                                           (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    result_.switches[index].children.push_back(child->second);
  }
}

// One more than the highest child's. `above`: how many switches lead down to this one.
void Reader::set_level(std::size_t index, int above) {
  constexpr int kMostLevels = 64;
  SlurmSwitch& sw = result_.switches[index];
  if (stage_[index] == Stage::Done) return;
  if (stage_[index] == Stage::Begun)
    throw error(sw.place, "switch '" + sw.name + "' stands below itself");
  if (above > kMostLevels)
    throw error(sw.place, "more than " + std::to_string(kMostLevels) + " levels of switches");
  stage_[index] = Stage::Begun;
  for (const std::size_t child : sw.children) {
    set_level(child, above + 1);
    sw.level = std::max(sw.level, result_.switches[child].level + 1);
  }
  stage_[index] = Stage::Done;
}

SlurmTopology Reader::finish(const std::string& file) {
  if (result_.switches.empty() && result_.blocks.empty())
    throw error({file}, "names no switch and no block");
  if (!result_.switches.empty() && !result_.blocks.empty())
    throw error(result_.blocks.front().place,
                "a file holds a tree (SwitchName) or blocks, not both");
  if (!result_.block_sizes.empty() && result_.blocks.empty())
    throw error({file}, "has BlockSizes but no block");
  for (std::size_t i = 0; i < result_.switches.size(); ++i) find_children(i);
  stage_.assign(result_.switches.size(), Stage::Open);
  for (std::size_t i = 0; i < result_.switches.size(); ++i) set_level(i, 0);
  if (link_speeds_ > 0)
    result_.notes.push_back("LinkSpeed on " + counted(link_speeds_, "line") +
                            ": arbitrary to Slurm, ignored");
  if (!result_.block_sizes.empty())
    result_.notes.push_back(
        "BlockSizes: how Slurm groups blocks, not how they are cabled; ignored");
  return std::move(result_);
}

}  // namespace

SlurmTopology parse_slurm_topology(const std::string& file, const std::string& text) {
  const std::vector<SlurmRecord> records = read_slurm_records(
      file, text,
      {"SwitchName", "Nodes", "Switches", "LinkSpeed", "BlockName", "BlockSizes", "RingName"});
  Reader reader;
  for (const SlurmRecord& record : records) reader.take(record);
  return reader.finish(file);
}

}  // namespace trainyard
