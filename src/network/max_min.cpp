// Who uses which link, and which groups a change concerns. The filling is in max_min_filling.cpp.
#include "network/max_min.hpp"

#include <algorithm>

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

void MaxMin::mark_users_dirty(const LinkState& link) {
  for (const User& user : link.users) mark_dirty(user.key);
}

MaxMin::Key MaxMin::unused_key() {
  if (unused_.empty()) {
    unused_.push_back(static_cast<Key>(groups_.size()));
    groups_.emplace_back();
  }
  const Key key = unused_.back();
  unused_.pop_back();
  return key;
}

MaxMin::Key MaxMin::add(const FlowGroup& group) {
  return add(group, alone_rate(group, capacities_));
}

MaxMin::Key MaxMin::add(const FlowGroup& group, double alone) {
  const Key key = unused_key();
  groups_[index(key)].group = &group;
  groups_[index(key)].alone = alone;
  for (const Demand& demand : group.demands) {
    if (unshared_[demand.link.index()]) continue;  // caps each flow, in alone_rate()
    LinkState& link = links_[demand.link.index()];
    link.users.push_back({key, false, demand.load, alone * demand.load});
    if (link.users.size() < 2) continue;
    weigh(demand.link);
    if (link.can_be_full) mark_users_dirty(link);
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
    if (link.can_be_full) weigh(demand.link);
    if (link.saturated) mark_users_dirty(link);  // otherwise it held nobody back
  }
  if (state.dirty) dirty_.erase(std::find(dirty_.begin(), dirty_.end(), key));
  std::vector<LinkId> emptied = std::move(state.crowded);  // keeps its memory for the next
  emptied.clear();
  state = GroupState{};
  state.crowded = std::move(emptied);
  unused_.push_back(key);
}

// Whether the link's users could fill it. Most shared links cannot be full: all their groups
// together, each at its alone rate, do not fill them.
void MaxMin::weigh(LinkId id) {
  LinkState& link = links_[id.index()];
  double most = 0;
  for (const User& user : link.users) most += user.most;
  link.can_be_full = link.users.size() > 1 && most >= capacities_[id.index()] * (1 - 1e-9);
  if (!link.can_be_full) {
    if (link.saturated) relieved_.push_back(id);
    return;
  }
  for (User& user : link.users) {
    if (user.listed) continue;
    user.listed = true;
    groups_[index(user.key)].crowded.push_back(id);
  }
}

void MaxMin::set_capacity(LinkId link, double bytes_per_second) {
  capacities_[link.index()] = bytes_per_second;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    if (!groups_[k].group) continue;
    const auto& demands = groups_[k].group->demands;
    if (std::any_of(demands.begin(), demands.end(),
                    [link](const Demand& demand) { return demand.link == link; }))
      weigh_anew(static_cast<Key>(k));
  }
}

// The group's alone rate has changed, and with it what it may bring to each of its links.
void MaxMin::weigh_anew(Key key) {
  GroupState& state = groups_[index(key)];
  state.alone = alone_rate(*state.group, capacities_);
  mark_dirty(key);
  for (const Demand& demand : state.group->demands) {
    LinkState& link = links_[demand.link.index()];
    for (User& user : link.users)
      if (user.key == key) user.most = state.alone * user.load;
    weigh(demand.link);
    if (link.saturated || link.can_be_full) mark_users_dirty(link);
  }
}

const std::vector<MaxMin::Key>& MaxMin::solve() {
  changes_.clear();
  component_.clear();
  component_links_.clear();
  for (const LinkId link : relieved_) {
    LinkState& state = links_[link.index()];
    if (!state.saturated || state.can_be_full) continue;
    state.saturated = false;
    changes_.emplace_back(link, false);
  }
  relieved_.clear();
  if (dirty_.empty()) return component_;
  collect_component();
  fill();
  for (const LinkId link : component_links_) note_saturation(link);
  for (const Key key : component_) groups_[index(key)].in_component = false;
  return component_;
}

// All groups reachable from the dirty ones over links that can be full. (A link that held somebody
// back and cannot be full any more has made its users dirty when that came to be.)
void MaxMin::collect_component() {
  for (const Key key : dirty_) {
    groups_[index(key)].dirty = false;
    groups_[index(key)].in_component = true;
    component_.push_back(key);
  }
  dirty_.clear();
  for (std::size_t next = 0; next < component_.size(); ++next) {
    for (const LinkId id : groups_[index(component_[next])].crowded) {
      LinkState& link = links_[id.index()];
      if (!link.can_be_full || link.in_component) continue;
      link.in_component = true;
      component_links_.push_back(id);
      for (const User& user : link.users) {
        GroupState& other = groups_[index(user.key)];
        if (other.in_component) continue;
        other.in_component = true;
        component_.push_back(user.key);
      }
    }
  }
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
