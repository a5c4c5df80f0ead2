// Weighted max-min fair sharing of links among flow groups, solved incrementally and without an
// engine.
//
// Progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2): the rate of all groups rises
// together; a full link freezes the groups on it. A group is also bounded by the rate it has alone,
// so that links with a single user need never be looked at: only links that are shared now, and
// that their users could fill if each ran at its alone rate, enter the filling. Each group keeps a
// list of those among its links: a change costs what it concerns, not all links of all groups near
// it.
//
// INVARIANT after solve(): no shared link carries more than its capacity (1e-9 relative), and every
// group either runs at its alone rate or crosses a full link on which nobody has a higher rate.
#pragma once

#include "network/flow_group.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace trainyard {

class MaxMin {
public:
  using Key = std::int32_t;  // reused after remove()

  MaxMin(Capacities capacities, const Platform& platform);

  Key add(const FlowGroup& group);                // the group must outlive its key
  Key add(const FlowGroup& group, double alone);  // when its alone_rate() is known already
  void remove(Key key);
  void set_capacity(LinkId link, double bytes_per_second);
  const Capacities& capacities() const { return capacities_; }

  // Solves the components that changed since the last call. Returns the keys solved (their rate may
  // or may not differ), in no particular but a reproducible order.
  const std::vector<Key>& solve();

  double rate(Key key) const { return groups_[index(key)].rate; }
  double alone(Key key) const { return groups_[index(key)].alone; }
  // The full link that holds the group below its alone rate; invalid if none does.
  LinkId bottleneck(Key key) const { return groups_[index(key)].bottleneck; }

  // Whether several users fill the link.
  bool is_saturated(LinkId link) const { return links_[link.index()].saturated; }

  struct User {
    Key key;
    bool listed;  // the link is among the key's `crowded`
    double load;
    double most;  // bytes/s on the link at the alone rate
  };
  const std::vector<User>& users(LinkId link) const { return links_[link.index()].users; }

  // Links with several users that became full (true) or stopped being so (false) in the last
  // solve().
  const std::vector<std::pair<LinkId, bool>>& saturation_changes() const { return changes_; }

private:
  struct GroupState {
    const FlowGroup* group = nullptr;
    double rate = 0, alone = 0;
    LinkId bottleneck;
    bool dirty = false, in_component = false, frozen = false;
    std::vector<LinkId> crowded;  // its links that can be full, or could be since it was added
  };
  struct LinkState {
    std::vector<User> users;
    bool in_component = false, saturated = false;
    bool can_be_full = false;  // of the users it has now
  };
  using Level =
      std::pair<double, std::int32_t>;  // rate at which a link (or, negative, a group) freezes

  static std::size_t index(Key key) { return static_cast<std::size_t>(key); }
  Key unused_key();
  void mark_dirty(Key key);
  void mark_users_dirty(const LinkState& link);
  void weigh(LinkId link);
  void weigh_anew(Key key);
  void collect_component();
  void fill();
  void fill_heap();
  void drop_first();
  void sift_down_first();
  double freezing_level(LinkId link) const;
  void freeze_users(LinkId link, double rate);
  void freeze(GroupState& state, double rate, LinkId link);
  void note_saturation(LinkId link);

  Capacities capacities_;
  std::vector<char> unshared_;  // by LinkId
  std::vector<GroupState> groups_;
  std::vector<LinkState> links_;
  std::vector<Key> unused_, dirty_, component_;
  std::vector<LinkId> component_links_, relieved_;
  std::vector<Level> heap_;
  std::size_t rising_ = 0;  // groups of the component that are not frozen yet
  std::vector<std::pair<LinkId, bool>> changes_;
};

}  // namespace trainyard
