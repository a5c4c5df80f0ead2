#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "platforms/site/join.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace trainyard {

namespace {

InputError option_error(const char* option, const std::string& problem) {
  return {{}, option, problem};
}

}  // namespace

void Join::choose_hosts() {
  if (options_.hosts.empty()) {
    for (const Fabric::Host& host : fabric_.hosts) hosts_.push_back(&host);
    return;
  }
  const Hostlist wanted = expand_hostlist(options_.hosts);
  if (!wanted.problem.empty()) throw option_error("--hosts", wanted.problem);
  std::map<std::string, const Fabric::Host*> by_name;
  std::vector<std::string> names;
  for (const Fabric::Host& host : fabric_.hosts)
    by_name[host.name] = &host, names.push_back(host.name);
  std::set<std::string> chosen;
  for (const std::string& name : wanted.names) {
    if (by_name.count(name) == 0) {
      const std::string near = near_match(name, names);
      throw option_error("--hosts", "no host '" + name + "' in the fabric's file" +
                                        (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    chosen.insert(name);
  }
  for (const Fabric::Host& host : fabric_.hosts)
    if (chosen.count(host.name) != 0) hosts_.push_back(&host);
  site_.notes.push_back(
      counted(static_cast<std::int64_t>(fabric_.hosts.size() - hosts_.size()), "host") +
      " that --hosts does not name: ignored");
}

// Every host must reach the first one.
void Join::check_connected() const {
  std::vector<std::size_t> root(fabric_.switches.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t at) {
    while (root[at] != at) at = root[at] = root[root[at]];
    return at;
  };
  for (const Fabric::Cable& cable : fabric_.cables) root[find(cable.a)] = find(cable.b);
  for (const Fabric::Host* host : hosts_)
    for (const Fabric::Port& port : host->ports) root[find(port.to)] = find(host->ports.front().to);
  const std::size_t first = find(hosts_.front()->ports.front().to);
  for (const Fabric::Host* host : hosts_)
    if (find(host->ports.front().to) != first)
      throw InputError(host->place, "",
                       "the fabric falls apart: host '" + host->name + "' has no path to host '" +
                           hosts_.front()->name + "'; --hosts chooses some of them");
}

void Join::check_options() const {
  if (fabric_.cables_listed) {
    if (options_.link > Bandwidth())
      throw option_error("--link",
                         "contradicts the fabric's file, which lists every cable with its rate");
    if (options_.uplinks > 0)
      throw option_error("--uplinks", "contradicts the fabric's file, which lists every cable");
    return;
  }
  if (options_.link == Bandwidth())
    throw option_error("--link",
                       "is missing: the fabric's file does not say how fast a cable is, as in "
                       "--link '400 Gbit/s'");
  if (!fabric_.cables.empty() && options_.uplinks == 0)
    throw option_error("--uplinks",
                       "is missing: the fabric's file does not say how many cables join a switch "
                       "to each one above it");
}

void Join::add_switches() {
  std::vector<bool> used(fabric_.switches.size());
  for (const Fabric::Cable& cable : fabric_.cables) used[cable.a] = used[cable.b] = true;
  for (const Fabric::Host* host : hosts_)
    for (const Fabric::Port& port : host->ports) used[port.to] = true;
  UniqueNames names;
  for (std::size_t i = 0; i < used.size(); ++i) {
    switch_names_.push_back(used[i] ? names.name(fabric_.switches[i].name) : "");
    if (used[i]) site_.spec.switches.push_back({switch_names_[i], options_.switch_latency});
  }
  const auto unused = std::count(used.begin(), used.end(), false);
  if (unused > 0) site_.notes.push_back(counted(unused, "switch") + " without a cable: ignored");
  if (names.changed() > 0)
    site_.notes.push_back(counted(names.changed(), "switch name") +
                          " with other characters than letters, digits, '.', '_' and "
                          "'-': '_' stands for them");
}

// Parallel cables of one rate are one entry.
void Join::add_switch_cables() {
  std::map<std::vector<double>, std::size_t> entries;
  for (const Fabric::Cable& cable : fabric_.cables) {
    const auto [low, high] = std::minmax(cable.a, cable.b);
    const Bandwidth rate = fabric_.cables_listed ? cable.rate : options_.link;
    const auto [entry, added] =
        entries.emplace(std::vector<double>{static_cast<double>(low), static_cast<double>(high),
                                            in_bytes_per_second(rate)},
                        site_.spec.cables.size());
    if (added)
      site_.spec.cables.push_back({switch_names_[cable.a], switch_names_[cable.b], rate, {}, 0});
    site_.spec.cables[entry->second].count += fabric_.cables_listed ? 1 : options_.uplinks;
  }
}

}  // namespace trainyard
