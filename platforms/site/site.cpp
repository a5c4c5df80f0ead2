#include "platforms/site/site.hpp"

#include "base/text.hpp"
#include "platforms/site/join.hpp"

namespace trainyard {

Site Join::join(const std::optional<NcclNode>& node) {
  site_.notes = fabric_.notes;
  choose_hosts();
  if (hosts_.empty())
    throw InputError(
        fabric_.switches.empty() ? Place{} : Place{fabric_.switches.front().place.file}, "",
        "names no host: without one there is no GPU");
  check_options();
  check_connected();
  add_switches();
  add_hosts(node);
  add_switch_cables();
  if (!options_.network.empty())
    site_.hardware.network = options_.network;
  else if (!fabric_.network.empty())
    site_.hardware.network = fabric_.network;
  return std::move(site_);
}

std::string platform_name(const std::string& name) {
  std::string result = name;
  for (char& c : result)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '.' &&
        c != '-')
      c = '_';
  return result.empty() || result == "x" ? result + "_" : result;
}

Site join_site(const std::optional<NcclNode>& node, const std::optional<Fabric>& fabric,
               const SiteOptions& options) {
  if (fabric) return Join(*fabric, options).join(node);
  SiteNode alone = node ? node_of(*node, options) : node_of(options);
  if (!alone.kind.nics.empty())
    alone.notes.push_back("no fabric: one node alone, without its " +
                          counted(static_cast<std::int64_t>(alone.kind.nics.size()), "NIC"));
  alone.kind.nics.clear();
  for (GraphSpec::PcieSwitch& pcie : alone.kind.pcie) pcie.nics.clear();
  Site site;
  site.notes = alone.notes;
  site.hardware = alone.hardware;
  site.spec.kinds.push_back(alone.kind);
  site.spec.nodes.push_back({"node0", alone.kind.name});
  return site;
}

}  // namespace trainyard
