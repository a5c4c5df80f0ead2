#include "schedulers/slurm/site/unverified.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

struct Rule {
  const char* what;
  bool (*in_use)(const SlurmSite& site, const std::vector<SlurmJob>& jobs);
};

template <class Holds>
bool any(const std::vector<SlurmJob>& jobs, Holds holds) {
  return std::any_of(jobs.begin(), jobs.end(), holds);
}

bool since(const SlurmSite& site, const SlurmVersion& version) {
  return site.parameters.version >= version;
}

const Rule kRules[] = {
    {"rules of releases after 22.05 (recorded decisions are of 22.05 only)",
     [](auto& site, auto&) { return kSlurm2205 < site.parameters.version; }},
    {"topology/block", [](auto& site, auto&) { return !site.blocks.empty(); }},
    {"--segment",
     [](auto&, auto& jobs) { return any(jobs, [](auto& j) { return j.request.segment > 0; }); }},
    {"--exclusive=topo",
     [](auto& site, auto& jobs) {
       return any(jobs, [](auto& j) { return j.request.exclusive_topology; }) ||
              std::any_of(site.partitions.begin(), site.partitions.end(),
                          [](auto& each) { return each.exclusive_topology; });
     }},
    {"--constraint",
     [](auto&, auto& jobs) {
       return any(jobs, [](auto& j) { return !j.request.constraint.empty(); });
     }},
    {"--signal",
     [](auto&, auto& jobs) { return any(jobs, [](auto& j) { return j.signal.has_value(); }); }},
    {"whole nodes by select/linear or OverSubscribe=EXCLUSIVE",
     [](auto& site, auto&) {
       return !site.parameters.select_tres ||
              std::any_of(site.partitions.begin(), site.partitions.end(),
                          [](auto& each) { return each.exclusive; });
     }},
    {"topology/tree chooses leaves as 22.05 does; releases since 23.02 and 24.11 differ",
     [](auto& site, auto&) {
       return !site.switches.empty() && since(site, {23, 2});
     }},
    {"backfill's later tests as 22.05 does them; releases since 24.11 first drop ended jobs",
     [](auto& site, auto&) {
       return site.parameters.backfill && since(site, {24, 11});
     }},
};

}  // namespace

std::vector<std::string> unverified_rules(const SlurmSite& site,
                                          const std::vector<SlurmJob>& jobs) {
  std::vector<std::string> found;
  for (const Rule& rule : kRules)
    if (rule.in_use(site, jobs)) found.emplace_back(rule.what);
  return found;
}

}  // namespace trainyard::slurm
