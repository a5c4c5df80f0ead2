// How a fabric's hosts become nodes and its cables links; for join_site() only.
#pragma once

#include "base/error.hpp"
#include "platforms/site/site.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard {

// Gives every thing of a kind a name of its own.
class UniqueNames {
public:
  std::string name(const std::string& wanted) {
    const std::string plain = platform_name(wanted);
    if (plain != wanted) ++changed_;
    std::string name = plain;
    for (int i = 2; !taken_.insert(name).second; ++i) name = plain + "_" + std::to_string(i);
    return name;
  }
  int changed() const { return changed_; }

private:
  std::set<std::string> taken_;
  int changed_ = 0;
};

class Join {
public:
  Join(const Fabric& fabric, const SiteOptions& options) : fabric_(fabric), options_(options) {}
  Site join(const std::optional<NcclNode>& node);

private:
  void choose_hosts();
  void check_connected() const;
  void check_options() const;
  void add_switches();
  void add_switch_cables();
  void check_size(const SiteNode& node) const;
  void add_hosts(const std::optional<NcclNode>& node);
  SiteNode kind_for(const std::optional<NcclNode>& node, std::size_t ports,
                    const Fabric::Host& host) const;
  void add_own_nics(SiteNode& node, std::size_t ports) const;
  void settle_rates(GraphSpec::NodeKind& kind, std::size_t ports) const;
  void add_host_cables(const Fabric::Host& host, const std::string& name,
                       const GraphSpec::NodeKind& kind);
  std::size_t ports_of(const Fabric::Host& host) const {
    return fabric_.cables_listed ? host.ports.size() : 0;
  }

  const Fabric& fabric_;
  const SiteOptions& options_;
  std::vector<const Fabric::Host*> hosts_;
  std::vector<std::string> switch_names_;  // empty: without a cable
  Site site_;
};

}  // namespace trainyard
