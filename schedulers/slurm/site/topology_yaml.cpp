// topology.yaml (25.05 and newer): the cluster's default topology, said again as topology.conf says
// it, each switch and block on the line where it stands.

#include "config/yaml_tree.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <algorithm>
#include <vector>

namespace trainyard::slurm {

namespace {

using Kind = YamlNode::Kind;

InputError error(const Place& place, const std::string& problem) { return {place, "", problem}; }

const YamlNode& list_at(const YamlNode& mapping, const std::string& key) {
  const YamlEntry* entry = find_entry(mapping, key);
  if (!entry || entry->value.kind != Kind::List)
    throw error(entry ? entry->place : mapping.place, "'" + key + "' must be a list");
  return entry->value;
}

void only(const YamlNode& mapping, const std::vector<std::string>& keys) {
  if (mapping.kind != Kind::Mapping) throw error(mapping.place, "must be a mapping");
  for (const YamlEntry& entry : mapping.entries)
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end())
      throw error(entry.place, "'" + entry.key + "' is not known here");
}

class Lines {
public:
  // At the record's own line, or the next one that is free.
  void add(const Place& place, const std::string& record) {
    while (line_ < place.line) text_ += '\n', ++line_;
    text_ += record + '\n';
    ++line_;
  }
  const std::string& text() const { return text_; }

private:
  std::string text_;
  int line_ = 1;
};

// "BlockName=b1 Nodes=n[1-4]" of {block: b1, nodes: "n[1-4]"}.
void add_record(Lines& lines, const YamlNode& mapping,
                const std::vector<std::pair<std::string, std::string>>& names) {
  std::vector<std::string> keys;
  std::string record;
  for (const auto& [key, name] : names) {
    keys.push_back(key);
    const YamlEntry* entry = find_entry(mapping, key);
    if (entry && entry->value.kind != Kind::Scalar)
      throw error(entry->place, "'" + key + "' must be a text");
    if (entry) record += (record.empty() ? "" : " ") + name + "=" + entry->value.scalar;
  }
  only(mapping, keys);
  if (!find_entry(mapping, names.front().first))
    throw error(mapping.place, "'" + names.front().first + "' is missing");
  lines.add(mapping.place, record);
}

std::string tree_lines(const YamlNode& tree) {
  only(tree, {"switches"});
  Lines lines;
  for (const YamlEntry& entry : list_at(tree, "switches").entries)
    add_record(lines, entry.value,
               {{"switch", "SwitchName"}, {"children", "Switches"}, {"nodes", "Nodes"}});
  return lines.text();
}

std::string block_lines(const YamlNode& block) {
  only(block, {"block_sizes", "blocks"});
  Lines lines;
  std::string sizes;
  if (find_entry(block, "block_sizes"))
    for (const YamlEntry& entry : list_at(block, "block_sizes").entries)
      sizes += (sizes.empty() ? "" : ",") + entry.value.scalar;
  for (const YamlEntry& entry : list_at(block, "blocks").entries)
    add_record(lines, entry.value, {{"block", "BlockName"}, {"nodes", "Nodes"}});
  return lines.text() + (sizes.empty() ? "" : "BlockSizes=" + sizes + "\n");
}

bool is_default(const YamlNode& topology) {
  const YamlEntry* entry = find_entry(topology, "cluster_default");
  return entry && entry->value.scalar == "true";
}

std::string name_of(const YamlNode& topology) {
  const YamlEntry* entry = find_entry(topology, "topology");
  if (!entry) throw error(topology.place, "a topology needs its name: 'topology'");
  return entry->value.scalar;
}

// The one that partitions have which name none.
const YamlNode& default_of(SlurmSite& site, const YamlNode& all) {
  const YamlNode* chosen = &all.entries.front().value;
  for (const YamlEntry& entry : all.entries) {
    only(entry.value, {"topology", "cluster_default", "block", "flat", "ring", "torus3d", "tree"});
    if (is_default(entry.value) && !is_default(*chosen)) chosen = &entry.value;
  }
  for (const YamlEntry& entry : all.entries)
    if (&entry.value != chosen)
      site.warnings.push_back("topology '" + name_of(entry.value) +
                              "': partitions with a topology of their own are not modelled");
  return *chosen;
}

}  // namespace

void read_topology_yaml(SlurmSite& site, const std::string& file, const std::string& text) {
  constexpr SlurmVersion kSince{25, 5};
  SlurmParameters& parameters = site.parameters;
  if (parameters.version < kSince)
    throw InputError({file}, "",
                     "topology.yaml came with Slurm " + to_string(kSince) + "; slurm_version is " +
                         to_string(parameters.version));
  const YamlNode all = parse_yaml(text, file);
  if (all.kind != Kind::List || all.entries.empty())
    throw InputError({file}, "", "must be a list of topologies");
  const YamlNode& topology = default_of(site, all);
  const YamlEntry* tree = find_entry(topology, "tree");
  const YamlEntry* block = find_entry(topology, "block");
  parameters.topology_tree = tree != nullptr, parameters.topology_block = block != nullptr;
  if (tree && block) throw error(block->place, "a topology is a tree or blocks, not both");
  if (tree) return read_topology_conf(site, file, tree_lines(tree->value));
  if (block) return read_topology_conf(site, file, block_lines(block->value));
  if (!find_entry(topology, "flat"))
    throw error(topology.place,
                "topology '" + name_of(topology) + "' is not modelled; tree, block and flat are");
}

}  // namespace trainyard::slurm
