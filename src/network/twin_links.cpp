#include "network/twin_links.hpp"

#include "base/rng.hpp"

#include <cstring>
#include <unordered_set>

namespace trainyard {

namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

struct LinkUsers {
  std::uint64_t first = 0, second = 0;  // two sums over groups and loads, each mixed its own way
  bool operator==(const LinkUsers& other) const {
    return first == other.first && second == other.second;
  }
};
struct HashUsers {
  std::size_t operator()(const LinkUsers& users) const { return users.first; }
};

}  // namespace

TwinLinks::TwinLinks(const std::vector<Lowered>& collectives, const Capacities& capacities) {
  std::vector<LinkUsers> users(capacities.size());
  std::unordered_set<const FlowGroup*> seen;
  std::vector<std::size_t> links;
  for (const Lowered& collective : collectives)
    for (const auto& group : collective) {
      if (group->ways) return;  // adaptive routing moves its loads about
      if (!seen.insert(group.get()).second) continue;
      for (const Demand& demand : group->demands) {
        LinkUsers& here = users[demand.link.index()];
        if (here.first == 0) links.push_back(demand.link.index());
        const std::uint64_t load = mix(bits_of(demand.load) ^ mix(seen.size()));
        here.first += load;
        here.second += mix(load + 1);
      }
    }
  kept_.resize(capacities.size());
  std::unordered_set<LinkUsers, HashUsers> known;
  for (const std::size_t link : links) {
    const std::uint64_t capacity = mix(bits_of(capacities[link]));
    const LinkUsers all{users[link].first + capacity, users[link].second ^ capacity};
    kept_[link] = known.insert(all).second ? 1 : 0;
  }
}

Lowered TwinLinks::one_of_each(const Lowered& groups) {
  if (kept_.empty()) return groups;
  Lowered result;
  for (const auto& group : groups) {
    auto& thin = thinned_[group.get()];
    if (!thin) {
      FlowGroup kept = *group;
      kept.demands.clear();
      std::size_t next_cap = 0;
      for (const Demand& demand : group->demands) {
        const bool caps = next_cap < kept.caps.size() && kept.caps[next_cap].link == demand.link;
        if (caps) ++next_cap;
        if (caps || kept_[demand.link.index()]) kept.demands.push_back(demand);
      }
      thin = std::make_shared<const FlowGroup>(std::move(kept));
    }
    result.push_back(thin);
  }
  return result;
}

}  // namespace trainyard
