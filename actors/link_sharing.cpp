#include "actors/link_sharing.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

LinkSharing::LinkSharing(const Capacities& capacities, std::size_t links)
    : capacities_(capacities), links_(links) {}

void LinkSharing::add(Domain job, const std::vector<LinkUse>& uses) {
  uses_[job] = &uses;
  for (const LinkUse& use : uses) {
    links_[use.link.index()].users.push_back({job, use.peak});
    weigh(use.link);
  }
}

void LinkSharing::remove(Domain job) {
  for (const LinkUse& use : *uses_.at(job)) {
    std::vector<User>& users = links_[use.link.index()].users;
    users.erase(std::find_if(users.begin(), users.end(),
                             [job](const User& user) { return user.job == job; }));
    weigh(use.link);
  }
  uses_.erase(job);
}

void LinkSharing::weigh(LinkId id) {
  LinkState& link = links_[id.index()];
  double peak = 0;
  for (const User& user : link.users) peak += user.peak;
  link.couples = link.users.size() > 1 && peak >= capacities_[id.index()] * (1 - 1e-9);  // rounding
}

std::vector<Domain> LinkSharing::connected_to(Domain job) const {
  std::set<Domain> reached = {job};
  std::vector<Domain> open = {job};
  while (!open.empty()) {
    const Domain next = open.back();
    open.pop_back();
    for (const LinkUse& use : *uses_.at(next)) {
      const LinkState& link = links_[use.link.index()];
      if (!link.couples) continue;
      for (const User& user : link.users)
        if (reached.insert(user.job).second) open.push_back(user.job);
    }
  }
  return {reached.begin(), reached.end()};
}

std::vector<LinkId> LinkSharing::coupling_links(const std::vector<Domain>& jobs) const {
  std::set<LinkId> coupling;
  if (jobs.size() > 1)
    for (const Domain job : jobs)
      for (const LinkUse& use : *uses_.at(job))
        if (links_[use.link.index()].couples) coupling.insert(use.link);
  return {coupling.begin(), coupling.end()};
}

}  // namespace trainyard
