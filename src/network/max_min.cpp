#include "network/max_min.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace trainyard {

MaxMin::MaxMin(Capacities capacities, const Platform& platform)
    : capacities_(std::move(capacities)), links_(capacities_.size()) {
  unshared_.reserve(platform.links.size());
  for (const Link& link : platform.links) unshared_.push_back(link.shared ? 0 : 1);
}

void MaxMin::mark_dirty(Key key) {
  GroupState& state = groups_[index(key)];
  if (state.dirty) return;
  state.dirty = true;
  dirty_.push_back(key);
}

MaxMin::Key MaxMin::add(const FlowGroup& group) {
  return add(group, alone_rate(group, capacities_));
}

MaxMin::Key MaxMin::add(const FlowGroup& group, double alone) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<Key>(groups_.size()));
    groups_.emplace_back();
  }
  const Key key = unused_.back();
  unused_.pop_back();
  GroupState& state = groups_[index(key)];
  state = GroupState{};
  state.group = &group;
  state.alone = alone;
  for (const Demand& demand : group.demands) {
    if (unshared_[demand.link.index()]) continue;  // caps each flow, in alone_rate()
    std::vector<User>& users = links_[demand.link.index()].users;
    users.push_back({key, demand.load});
    if (users.size() > 1 && can_be_full(demand.link))
      for (const User& user : users) mark_dirty(user.key);
  }
  mark_dirty(key);
  return key;
}

void MaxMin::remove(Key key) {
  GroupState& state = groups_[index(key)];
  for (const Demand& demand : state.group->demands) {
    LinkState& link = links_[demand.link.index()];
    const auto user = std::find_if(link.users.begin(), link.users.end(),
                                   [key](const User& u) { return u.key == key; });
    if (user == link.users.end()) continue;
    link.users.erase(user);
    if (!link.saturated) continue;  // it held nobody back
    for (const User& other : link.users) mark_dirty(other.key);
    if (link.users.size() < 2) left_.push_back(demand.link);
  }
  if (state.dirty) dirty_.erase(std::find(dirty_.begin(), dirty_.end(), key));
  state = GroupState{};
  unused_.push_back(key);
}

void MaxMin::set_capacity(LinkId link, double bytes_per_second) {
  capacities_[link.index()] = bytes_per_second;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    GroupState& state = groups_[k];
    if (!state.group) continue;
    const auto& demands = state.group->demands;
    const bool uses = std::any_of(demands.begin(), demands.end(),
                                  [link](const Demand& d) { return d.link == link; });
    if (!uses) continue;
    state.alone = alone_rate(*state.group, capacities_);
    mark_dirty(static_cast<Key>(k));
    for (const Demand& demand : demands)
      if (links_[demand.link.index()].saturated)
        for (const User& user : links_[demand.link.index()].users) mark_dirty(user.key);
  }
}

const std::vector<MaxMin::Key>& MaxMin::solve() {
  changes_.clear();
  component_.clear();
  component_links_.clear();
  for (const LinkId link : left_) {
    LinkState& state = links_[link.index()];
    if (state.saturated && state.users.size() < 2) {
      state.saturated = false;
      changes_.emplace_back(link, false);
    }
  }
  left_.clear();
  if (dirty_.empty()) return component_;
  collect_component();
  fill();
  for (const LinkId link : component_links_) note_saturation(link);
  for (const Key key : component_) groups_[index(key)].in_component = false;
  return component_;
}

// All groups reachable from the dirty ones over links that hold somebody back or may do so.
void MaxMin::collect_component() {
  for (const Key key : dirty_) {
    groups_[index(key)].dirty = false;
    groups_[index(key)].in_component = true;
    component_.push_back(key);
  }
  dirty_.clear();
  for (std::size_t next = 0; next < component_.size(); ++next) {
    for (const Demand& demand : groups_[index(component_[next])].group->demands) {
      LinkState& link = links_[demand.link.index()];
      if (link.users.size() < 2 || link.in_component) continue;
      link.candidate = can_be_full(demand.link);
      if (!link.candidate && !link.saturated) continue;
      link.in_component = true;
      component_links_.push_back(demand.link);
      for (const User& user : link.users) {
        GroupState& other = groups_[index(user.key)];
        if (other.in_component) continue;
        other.in_component = true;
        component_.push_back(user.key);
      }
    }
  }
}

// The common rate at which the link would be full; infinite once all its groups are frozen. Summed
// anew each time, so that no rounding error piles up over subtractions.
double MaxMin::freezing_level(LinkId link) const {
  double residual = capacities_[link.index()], rising = 0;
  for (const User& user : links_[link.index()].users) {
    const GroupState& state = groups_[index(user.key)];
    if (state.frozen)
      residual -= state.rate * user.load;
    else
      rising += user.load;
  }
  return rising > 0 ? std::max(0.0, residual) / rising : std::numeric_limits<double>::infinity();
}

// A link's freezing level only rises while others freeze, so a stale heap entry is simply pushed
// again.
void MaxMin::fill() {
  heap_.clear();
  for (const Key key : component_) {
    groups_[index(key)].frozen = false;
    heap_.emplace_back(groups_[index(key)].alone, -1 - key);
  }
  for (const LinkId link : component_links_)
    if (links_[link.index()].candidate) heap_.emplace_back(freezing_level(link), link.value());
  const auto later = std::greater<Level>();
  std::make_heap(heap_.begin(), heap_.end(), later);
  rising_ = component_.size();
  while (rising_ > 0) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const auto [level, what] = heap_.back();
    heap_.pop_back();
    if (what < 0) {
      GroupState& state = groups_[index(-1 - what)];
      if (!state.frozen) freeze(state, level, LinkId());
      continue;
    }
    const double now = freezing_level(LinkId(what));
    if (now == std::numeric_limits<double>::infinity()) continue;
    if (now > level) {
      heap_.emplace_back(now, what);
      std::push_heap(heap_.begin(), heap_.end(), later);
    } else {
      freeze_users(LinkId(what), now);
    }
  }
}

void MaxMin::freeze_users(LinkId link, double rate) {
  for (const User& user : links_[link.index()].users) {
    GroupState& state = groups_[index(user.key)];
    if (!state.frozen) freeze(state, rate, link);
  }
}

void MaxMin::freeze(GroupState& state, double rate, LinkId link) {
  state.frozen = true;
  state.rate = rate;
  state.bottleneck = rate < state.alone * (1 - 1e-9) ? link : LinkId();
  --rising_;
}

// Most shared links cannot: all their groups together, each at its alone rate, do not fill them.
bool MaxMin::can_be_full(LinkId link) const {
  double most = 0;
  for (const User& user : links_[link.index()].users)
    most += groups_[index(user.key)].alone * user.load;
  return most >= capacities_[link.index()] * (1 - 1e-9);
}

void MaxMin::note_saturation(LinkId link) {
  LinkState& state = links_[link.index()];
  state.in_component = false;
  double carried = 0;
  for (const User& user : state.users) carried += groups_[index(user.key)].rate * user.load;
  const bool full = carried >= capacities_[link.index()] * (1 - 1e-9);
  if (full == state.saturated) return;
  state.saturated = full;
  changes_.emplace_back(link, full);
}

}  // namespace trainyard
