// slurm.conf: which line says what.

#include "base/text.hpp"
#include "schedulers/slurm/site/conf/known_keys.hpp"
#include "schedulers/slurm/site/conf/node_line.hpp"
#include "schedulers/slurm/site/conf/partition_line.hpp"
#include "schedulers/slurm/site/conf/record_fields.hpp"
#include "schedulers/slurm/site/conf/settings.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <algorithm>
#include <set>

namespace trainyard::slurm {

namespace {

class SlurmConf {
public:
  explicit SlurmConf(SlurmSite& site) : site_(site) {}

  // Nodes first: partitions may stand before the nodes that they name.
  void take(const std::vector<ConfRecord>& records) {
    const bool newer = site_.parameters.version >= SlurmVersion{23, 11};
    site_.parameters.select_tres = site_.parameters.priority.multifactor = newer;
    for (const ConfRecord& record : records) {
      if (begins_with(record, "NodeName")) take_nodes(record);
      if (begins_with(record, "NodeSet")) take_set(record);
    }
    std::sort(site_.nodes.begin(), site_.nodes.end(),
              [](const SlurmNode& a, const SlurmNode& b) { return natural_less(a.name, b.name); });
    default_partition_.nodes = NodeSet(site_.node_count());
    for (const ConfRecord& record : records) take_other(record);
    for (std::string& warning : warnings_) site_.warnings.push_back(std::move(warning));
  }

private:
  static bool begins_with(const ConfRecord& record, const char* key) {
    return same_key(record.options.front().key, key);
  }

  void take_other(const ConfRecord& record) {
    if (begins_with(record, "NodeName") || begins_with(record, "NodeSet")) return;
    if (begins_with(record, "PartitionName")) return take_partition(record);
    if (begins_with(record, "DownNodes")) return take_down_nodes(record);
    for (const ConfOption& option : record.options) take_global(option);
  }

  void take_global(const ConfOption& option) {
    const SlurmVersion since = known_since(option.key);
    if (site_.parameters.version < since)
      throw InputError(option.key_place, "",
                       "Slurm " + to_string(site_.parameters.version) + " does not know '" +
                           option.key + "'; it came with " + to_string(since));
    if (take_setting(site_, option) || has_no_bearing(option.key)) return;
    if (const UnmodelledKey* row = unmodelled_key(option.key)) {
      if (said_.insert(row->key).second && matters(option))
        warnings_.push_back(std::string(row->key) +
                            " is not modelled; it would change: " + row->effect);
      return;
    }
    std::vector<std::string> known;
    append_setting_keys(known);
    append_known_keys(known);
    const std::string near = near_match(option.key, known);
    throw InputError(option.key_place, "",
                     "unknown key '" + printable(option.key) + "'" +
                         (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  // "0", "NONE" and "no" switch a setting off.
  static bool matters(const ConfOption& option) {
    for (const char* off : {"", "0", "none", "no", "(null)", "unlimited", "-1"})
      if (same_key(option.value, off)) return false;
    return option.value.find("/none") == std::string::npos;
  }

  void take_nodes(const ConfRecord& record) {
    const ConfOption& names = record.options.front();
    if (same_key(names.value, "DEFAULT")) return take_node_options(default_node_, record);
    SlurmNode node = default_node_;
    take_node_options(node, record);
    for (const std::string& name : hosts_of(names)) {
      if (!named_.insert(name).second)
        throw InputError(names.value_place, "", "node '" + name + "' stands a second time");
      node.name = name;
      site_.nodes.push_back(node);
    }
  }

  void take_set(const ConfRecord& record) {
    RecordFields fields(record);
    const ConfOption* name = fields.find("NodeSet");
    const ConfOption* nodes = fields.find("Nodes");
    const ConfOption* feature = fields.find("Feature");
    fields.finish();
    std::vector<std::string> members = nodes ? hosts_of(*nodes) : std::vector<std::string>();
    for (const SlurmNode& node : site_.nodes)
      if (feature && std::count(node.features.begin(), node.features.end(), feature->value))
        members.push_back(node.name);
    sets_[name->value] = members;
  }

  void take_partition(const ConfRecord& record) {
    const ConfOption& names = record.options.front();
    if (same_key(names.value, "DEFAULT"))
      return take_partition_options(default_partition_, record, site_, sets_);
    for (const std::string& name : words_of(names)) {
      if (site_.partition_index(name) >= 0)
        throw InputError(names.value_place, "", "partition '" + name + "' stands a second time");
      SlurmPartition partition = default_partition_;
      partition.name = name;
      take_partition_options(partition, record, site_, sets_);
      site_.partitions.push_back(std::move(partition));
    }
  }

  void take_down_nodes(const ConfRecord& record) {
    RecordFields fields(record);
    const ConfOption* names = fields.find("DownNodes");
    const ConfOption* state = fields.find("State");
    fields.ignore({"Reason"});
    fields.finish();
    for (const std::string& name : hosts_of(*names)) {
      const int node = site_.node_index(name);
      if (node < 0) throw InputError(names->value_place, "", "no node '" + name + "'");
      site_.nodes[static_cast<std::size_t>(node)].state = state ? state->value : "DOWN";
    }
  }

  SlurmSite& site_;
  SlurmNode default_node_;
  SlurmPartition default_partition_;
  NodeSetNames sets_;
  std::set<std::string> named_, said_;
  std::vector<std::string> warnings_;
};

}  // namespace

void read_slurm_conf(SlurmSite& site, const std::string& file, const std::string& text) {
  SlurmConf(site).take(parse_conf(file, text));
  site.prepare();
  if (site.nodes.empty()) throw InputError({file}, "", "names no node");
}

}  // namespace trainyard::slurm
