// gres.conf: which GPUs a node has, the cores beside them, and their links.

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "schedulers/slurm/site/conf/record_fields.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace trainyard::slurm {

namespace {

struct Devices {
  int count = 0;
  int first_core = -1;  // -1: not bound
  std::vector<int> links;
};

// "0-15,32-47" or "[0-3]": the smallest core that is named.
int first_core_of(const ConfOption& option) {
  std::size_t at = option.value.find_first_of("0123456789");
  if (at == std::string::npos) throw value_error(option, "must name cores");
  std::size_t end = option.value.find_first_not_of("0123456789", at);
  return static_cast<int>(parse_integer(option.value.substr(at, end - at)).value_or(0));
}

int device_count(RecordFields& fields) {
  const ConfOption* count = fields.find("Count");
  const ConfOption* file = fields.find("File");
  if (const ConfOption* files = fields.find("MultipleFiles")) file = files;
  if (!file) return count ? int_of(*count) : 1;
  const Hostlist devices = expand_hostlist(file->value, "/:");
  if (!devices.problem.empty()) throw value_error(*file, devices.problem);
  return static_cast<int>(devices.names.size());
}

Devices devices_of(RecordFields& fields) {
  Devices devices;
  devices.count = device_count(fields);
  const ConfOption* cores = fields.find("Cores");
  if (const ConfOption* cpus = fields.find("CPUs"); cpus && !cores) cores = cpus;
  if (cores) devices.first_core = first_core_of(*cores);
  const ConfOption* links = fields.find("Links");
  if (const ConfOption* link = fields.find("Link"); link && !links) links = link;
  if (!links) return devices;
  for (const std::string& word : words_of(*links)) {
    const auto value = parse_integer(word);
    if (!value || *value < -1) throw value_error(*links, "must be counts of connections");
    devices.links.push_back(static_cast<int>(*value));
  }
  return devices;
}

class GresConf {
public:
  explicit GresConf(SlurmSite& site) : site_(site), told_(site.nodes.size()) {}

  void take(const ConfRecord& record) {
    RecordFields fields(record);
    const ConfOption* names = fields.find("NodeName");
    const ConfOption* gres = fields.find("Name");
    const Devices devices = devices_of(fields);
    fields.ignore({"Type", "Flags", "AutoDetect"});
    fields.finish();
    if (!gres || !same_key(gres->value, "gpu")) return;
    if (!names) {
      for (std::size_t node = 0; node < told_.size(); ++node) told_[node].push_back(devices);
      return;
    }
    for (const std::string& name : hosts_of(*names)) {
      const int node = site_.node_index(name);
      if (node < 0)
        site_.warnings.push_back("gres.conf: no node '" + name + "'; its line is not used");
      else
        told_[static_cast<std::size_t>(node)].push_back(devices);
    }
  }

  // What slurm.conf says of a node's GPUs counts; here is where they are.
  void finish() {
    for (std::size_t i = 0; i < told_.size(); ++i) {
      SlurmNode& node = site_.nodes[i];
      std::size_t gpu = 0;
      for (const Devices& devices : told_[i])
        for (int k = 0; k < devices.count && gpu < node.gpu_socket.size(); ++k, ++gpu)
          place(node, gpu, devices);
      const bool whole =
          std::all_of(node.gpu_links.begin(), node.gpu_links.end(),
                      [&](const auto& row) { return row.size() == node.gpu_socket.size(); });
      if (!whole || node.gpu_links.size() != node.gpu_socket.size()) node.gpu_links.clear();
    }
  }

private:
  static void place(SlurmNode& node, std::size_t gpu, const Devices& devices) {
    if (devices.first_core >= 0)
      node.gpu_socket[gpu] = std::min(devices.first_core / node.cores_per_socket, node.sockets - 1);
    if (!devices.links.empty()) node.gpu_links.push_back(devices.links);
  }

  SlurmSite& site_;
  std::vector<std::vector<Devices>> told_;
};

}  // namespace

void read_gres_conf(SlurmSite& site, const std::string& file, const std::string& text) {
  GresConf conf(site);
  for (const ConfRecord& record : parse_conf(file, text)) conf.take(record);
  conf.finish();
}

}  // namespace trainyard::slurm
