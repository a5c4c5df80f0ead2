#include "actors/wiring.hpp"

#include "network/flow_network.hpp"

#include <algorithm>

namespace trainyard {

void Wiring::detach(RoutesUser& user) {
  users_.erase(std::remove(users_.begin(), users_.end(), &user), users_.end());
}

double Wiring::left(LinkId link) const {
  const auto causes = causes_.find(link);
  return causes == causes_.end() ? 1 : *causes->second.begin();
}

void Wiring::worsen(const std::vector<LinkId>& links, double factor) {
  change(links, [this, factor](LinkId link) { causes_[link].insert(factor); });
}

void Wiring::mend(const std::vector<LinkId>& links, double factor) {
  change(links, [this, factor](LinkId link) {
    std::multiset<double>& causes = causes_[link];
    causes.erase(causes.find(factor));
    if (causes.empty()) causes_.erase(link);
  });
}

void Wiring::change(const std::vector<LinkId>& links, const std::function<void(LinkId)>& by) {
  std::vector<LinkId> failed, returned;
  for (RoutesUser* user : users_) user->routes_changing();
  for (const LinkId link : links) {
    const double before = left(link);
    by(link);
    const double after = left(link);
    if (before > 0 && after == 0) failed.push_back(link);
    if (before == 0 && after > 0) returned.push_back(link);
    if (after == 0 || after == before) continue;
    machine_.capacities[link.index()] = after * built_[link.index()];
    simulation_.fluid().set_capacity(link, machine_.capacities[link.index()]);
  }
  changes_.push_back({simulation_.now(), links.front(), links.size(), left(links.front())});
  std::vector<LinkId> down;
  for (const auto& [link, causes] : causes_)
    if (left(link) == 0) down.push_back(link);
  routing_.set_down(down);
  if (!failed.empty()) simulation_.flow_network().links_down(failed);
  if (!returned.empty()) simulation_.flow_network().links_up(returned);
  for (RoutesUser* user : users_) user->routes_changed();
}

}  // namespace trainyard
