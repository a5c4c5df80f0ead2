#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/site/join.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

InputError option_error(const char* option, const std::string& problem) {
  return {{}, option, problem};
}

}  // namespace

// NICs that no file describes: as many as the host has cables, or as the user says.
void Join::add_own_nics(SiteNode& node, std::size_t ports) const {
  std::size_t nics = ports;
  if (ports == 0)
    nics = static_cast<std::size_t>(options_.nics_per_node > 0 ? options_.nics_per_node
                                                               : node.kind.gpus);
  else if (options_.nics_per_node > 0 && static_cast<std::size_t>(options_.nics_per_node) != ports)
    throw option_error("--nics-per-node", "contradicts the fabric's file, in which a host has " +
                                              counted(static_cast<std::int64_t>(ports), "adapter"));
  if (ports == 0 && options_.nics_per_node == 0)
    node.notes.push_back("assumed: " + counted(static_cast<std::int64_t>(nics), "NIC") +
                         " a node, one for each GPU; --nics-per-node says otherwise");
  for (std::size_t i = 0; i < nics; ++i)
    node.kind.nics.push_back({"nic" + std::to_string(i), {}, options_.nic_latency, {}});
  const auto gpus = static_cast<std::size_t>(node.kind.gpus);
  for (std::size_t i = 0; i < std::max(nics, gpus); ++i)  // neighbours share, evenly
    node.kind.nics[nics >= gpus ? i : i * nics / gpus].gpus.push_back(
        static_cast<int>(nics >= gpus ? i * gpus / nics : i));
}

void Join::settle_rates(GraphSpec::NodeKind& kind, std::size_t ports) const {
  for (std::size_t i = 0; i < kind.nics.size(); ++i) {
    Bandwidth& rate = kind.nics[i].bandwidth;
    if (options_.nic > Bandwidth()) {
      if (rate > Bandwidth())
        throw option_error("--nic", "contradicts the node's file, which says " + to_text(rate));
      rate = options_.nic;
    }
    if (rate > Bandwidth()) continue;
    rate = options_.link;
    for (const Fabric::Host* host : hosts_)
      if (ports > 0 && host->ports.size() == ports) rate = std::max(rate, host->ports[i].rate);
  }
}

SiteNode Join::kind_for(const std::optional<NcclNode>& node, std::size_t ports,
                        const Fabric::Host& host) const {
  SiteNode made = node ? node_of(*node, options_) : node_of(options_);
  if (!node) add_own_nics(made, ports);
  if (made.kind.nics.empty())
    throw InputError(node->place, "", "the node has no NIC to join it to the fabric");
  if (ports > 0 && made.kind.nics.size() != ports)
    throw InputError(host.place, "",
                     "host '" + host.name + "' has " +
                         counted(static_cast<std::int64_t>(ports), "adapter") +
                         " in the fabric, but the node's file has " +
                         counted(static_cast<std::int64_t>(made.kind.nics.size()), "NIC"));
  settle_rates(made.kind, ports);
  return made;
}

void Join::add_host_cables(const Fabric::Host& host, const std::string& name,
                           const GraphSpec::NodeKind& kind) {
  for (std::size_t i = 0; i < kind.nics.size(); ++i) {
    const Fabric::Port& port = host.ports[fabric_.cables_listed ? i : 0];
    const Bandwidth rate = fabric_.cables_listed ? port.rate : options_.link;
    site_.spec.cables.push_back(
        {name + "/" + kind.nics[i].name, switch_names_[port.to], rate, {}, 1});
  }
}

// A typing error must not fill the memory: ten times the largest cluster there is.
void Join::check_size(const SiteNode& node) const {
  constexpr std::size_t kMostGpus = 1'000'000;
  if (hosts_.size() * static_cast<std::size_t>(node.kind.gpus) > kMostGpus)
    throw InputError(hosts_.front()->place, "",
                     std::to_string(hosts_.size()) + " hosts of " + counted(node.kind.gpus, "GPU") +
                         " are more than " + std::to_string(kMostGpus) + " GPUs");
}

void Join::add_hosts(const std::optional<NcclNode>& node) {
  std::map<std::size_t, std::size_t> kinds;  // number of ports -> kind
  UniqueNames names;
  for (const Fabric::Host* host : hosts_) {
    const std::size_t ports = ports_of(*host);
    const auto [kind, added] = kinds.emplace(ports, site_.spec.kinds.size());
    if (added) {
      SiteNode made = kind_for(node, ports, *host);
      check_size(made);
      if (kind->second > 0) made.kind.name += "-" + std::to_string(ports) + "nics";
      site_.spec.kinds.push_back(std::move(made.kind));
      site_.hardware = made.hardware;
      if (kind->second == 0)
        site_.notes.insert(site_.notes.end(), made.notes.begin(), made.notes.end());
    }
    const std::string name = names.name(host->name);
    site_.spec.nodes.push_back({name, site_.spec.kinds[kind->second].name});
    add_host_cables(*host, name, site_.spec.kinds[kind->second]);
  }
}

}  // namespace trainyard
