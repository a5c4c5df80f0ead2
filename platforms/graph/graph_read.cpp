#include "base/hostlist.hpp"
#include "platforms/graph/cable_list.hpp"
#include "platforms/graph/entries.hpp"
#include "platforms/graph_spec.hpp"

namespace trainyard {

namespace {

using Texts = std::vector<std::string>;

void read_nvlink(Properties& properties, const std::string& id, GraphSpec::NodeKind& kind) {
  if (!properties.has(id)) return;
  const EntryReader reader(properties, id);
  for (const Entry& entry : reader.links(1))
    for (const std::string& item : entry.lists[0]) {
      const std::vector<int> ends = reader.indices(item, '-');
      if (ends.size() != 2) throw reader.error("'" + item + "' is no pair of GPUs such as 0-3");
      kind.nvlink.push_back(
          {ends[0], ends[1], reader.bandwidth(entry.values[0]), reader.seconds(entry.values[1])});
    }
}

void read_nics(Properties& properties, const std::string& id, GraphSpec::NodeKind& kind) {
  if (!properties.has(id)) return;
  const EntryReader reader(properties, id);
  for (const Entry& entry : reader.links(2))
    for (std::size_t i = 0; i < entry.lists[0].size(); ++i)
      kind.nics.push_back({entry.lists[0][i], reader.bandwidth(entry.values[0]),
                           reader.seconds(entry.values[1]),
                           reader.indices(entry.lists[1][i], '+')});
}

void read_pcie(Properties& properties, const std::string& id, GraphSpec::NodeKind& kind) {
  if (!properties.has(id)) return;
  const EntryReader reader(properties, id);
  for (const Entry& entry : reader.links(2))
    for (std::size_t i = 0; i < entry.lists[0].size(); ++i)
      kind.pcie.push_back({reader.bandwidth(entry.values[0]), reader.seconds(entry.values[1]),
                           reader.indices(entry.lists[0][i], '+'),
                           reader.indices(entry.lists[1][i], '+')});
}

GraphSpec::NodeKind read_kind(Properties& properties, const std::string& name) {
  const std::string prefix = "kind." + name + ".";
  GraphSpec::NodeKind kind;
  kind.name = name;
  kind.gpus = properties.positive_int(prefix + "gpus");
  if (properties.has(prefix + "nvswitch")) {
    const EntryReader reader(properties, prefix + "nvswitch");
    const Texts values = reader.values(2);
    kind.nvswitch = {reader.bandwidth(values[0]), reader.seconds(values[1])};
  }
  read_nvlink(properties, prefix + "nvlink", kind);
  read_nics(properties, prefix + "nics", kind);
  read_pcie(properties, prefix + "pcie", kind);
  return kind;
}

Texts read_names(Properties& properties, const std::string& id) {
  Hostlist list = expand_hostlist(properties.text(id));
  if (!list.problem.empty()) throw properties.error(id, list.problem);
  return std::move(list.names);
}

void read_cables(Properties& properties, GraphSpec& spec) {
  const EntryReader reader(properties, "cables");
  for (const Entry& entry : reader.entries(2, 2, 3)) {
    CableRun run{entry.lists[0], entry.lists[1], entry.each_with_each, {}};
    run.alike.bandwidth = reader.bandwidth(entry.values[0]);
    run.alike.latency = reader.seconds(entry.values[1]);
    if (entry.values.size() == 3) run.alike.count = reader.positive_int(entry.values[2]);
    if (size_of(run) == 0)
      throw reader.error("'" + entry.text + "' joins " + std::to_string(run.a.size()) + " to " +
                         std::to_string(run.b.size()) +
                         " ends, of which neither is a multiple of the other");
    append_cables(run, spec.cables);
  }
}

}  // namespace

GraphSpec read_graph(Properties& properties) {
  GraphSpec spec;
  for (const std::string& kind : read_names(properties, "kinds"))
    spec.kinds.push_back(read_kind(properties, kind));
  const EntryReader nodes(properties, "nodes");
  for (const Entry& entry : nodes.entries(1, 1, 1))
    for (const std::string& name : entry.lists[0]) spec.nodes.push_back({name, entry.values[0]});
  if (properties.has("switches")) {
    const EntryReader switches(properties, "switches");
    for (const Entry& entry : switches.entries(1, 1, 1))
      for (const std::string& name : entry.lists[0])
        spec.switches.push_back({name, switches.seconds(entry.values[0])});
  }
  if (properties.has("cables")) read_cables(properties, spec);
  return spec;
}

}  // namespace trainyard
