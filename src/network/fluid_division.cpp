// Fluid's flows under adaptive routing: divided anew over their paths when rates change.
//
// A pattern is divided, not a flow: it starts the next time as it went the last. What time
// compression credits is divided as it was when the jump began.
#include "base/rng.hpp"
#include "network/adaptive/division.hpp"
#include "network/fluid.hpp"

#include <algorithm>
#include <cstring>

namespace trainyard {

namespace {

constexpr std::size_t kMostRejected = 256;

// Steps repeat: what was not worth it in exactly this situation is not worth it again.
std::uint64_t fingerprint(const Surroundings& around) {
  std::uint64_t print = 0;
  const auto add = [&print](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    print = mix(print ^ bits);
  };
  add(around.rate);
  for (const double carried : around.carried) add(carried);
  return print;
}

}  // namespace

void Fluid::join_divided(std::int32_t id) {
  const PatternId pattern = items_[at(id)].pattern;
  const FlowGroup& group = *patterns_[at(pattern)].group;
  if (!group.ways) return;
  if (dividing_.empty()) dividing_.resize(links());
  std::vector<std::int32_t>& flowing = patterns_[at(pattern)].flowing;
  flowing.push_back(id);
  to_divide_.insert(pattern);
  if (flowing.size() > 1) return;
  for (const LinkId link : group.ways->links) dividing_[link.index()].push_back(pattern);
}

// Also says that somebody has left the links.
void Fluid::leave_divided(std::int32_t id) {
  const PatternId pattern = items_[at(id)].pattern;
  const FlowGroup& group = *patterns_[at(pattern)].group;
  watch(group);
  if (!group.ways) return;
  std::vector<std::int32_t>& flowing = patterns_[at(pattern)].flowing;
  flowing.erase(std::find(flowing.begin(), flowing.end(), id));
  if (!flowing.empty()) return;
  to_divide_.erase(pattern);
  for (const LinkId link : group.ways->links) {
    std::vector<PatternId>& patterns = dividing_[link.index()];
    patterns.erase(std::find(patterns.begin(), patterns.end(), pattern));
  }
}

// Something has changed on the group's links: those that divide over them look again.
void Fluid::watch(const FlowGroup& group) {
  if (dividing_.empty()) return;
  for (const Demand& demand : group.demands) {
    const std::vector<PatternId>& patterns = dividing_[demand.link.index()];
    to_divide_.insert(patterns.begin(), patterns.end());
  }
}

double Fluid::carried(LinkId link) const {
  double all = 0;
  for (const MaxMin::User& user : solver_.users(link))
    all += items_[at(item_of_key_[at(user.key)])].rate * user.load;
  return all;
}

// One after the other, each seeing how those before it have divided. Whether anybody has.
bool Fluid::divide_anew() {
  bool changed = false;
  for (const PatternId id : std::exchange(to_divide_, {})) {
    Pattern& pattern = patterns_[at(id)];
    const bool beside_others = crosses_saturated(pattern);
    if (!beside_others && (!pattern.held_by_ways || pattern.settled_alone)) continue;
    const Surroundings around = surroundings(pattern);
    const std::uint64_t print = fingerprint(around);
    if (pattern.rejected.count(print) > 0) continue;
    std::optional<FlowGroup> better = divided_better(*pattern.group, around);
    if (better) {
      replace(id, std::move(*better));
      changed = true;
      continue;
    }
    if (pattern.rejected.size() >= kMostRejected) pattern.rejected.clear();
    pattern.rejected.insert(print);
    pattern.settled_alone = pattern.settled_alone || !meets_others(pattern);
  }
  return changed;
}

// Whether several fill one of the links that it may divide over.
bool Fluid::crosses_saturated(const Pattern& pattern) const {
  const std::vector<LinkId>& links = pattern.group->ways->links;
  return std::any_of(links.begin(), links.end(),
                     [this](LinkId link) { return solver_.is_saturated(link); });
}

// Whether somebody else is on one of those links.
bool Fluid::meets_others(const Pattern& pattern) const {
  const std::vector<LinkId>& links = pattern.group->ways->links;
  const FlowGroup* const own = pattern.group.get();
  return std::any_of(links.begin(), links.end(), [&](LinkId link) {
    const std::vector<MaxMin::User>& users = solver_.users(link);
    return std::any_of(users.begin(), users.end(), [&](const MaxMin::User& user) {
      return patterns_[at(items_[at(item_of_key_[at(user.key)])].pattern)].group.get() != own;
    });
  });
}

Surroundings Fluid::surroundings(const Pattern& pattern) const {
  Surroundings around{solver_.capacities(), {}, 0};
  for (const LinkId link : pattern.group->ways->links) around.carried.push_back(carried(link));
  for (const std::int32_t item : pattern.flowing) around.rate += items_[at(item)].rate;
  return around;
}

// The same flows, divided otherwise; what they have moved so far is in the totals.
void Fluid::replace(PatternId id, FlowGroup group) {
  Pattern& pattern = patterns_[at(id)];
  watch(*pattern.group);  // what it leaves, others may take
  for (const std::int32_t item : pattern.flowing) {
    accrue(item);
    solver_.remove(items_[at(item)].key);
  }
  close(pattern);
  pattern.rejected.clear();
  pattern.settled_alone = false;
  pattern.group = std::make_shared<const FlowGroup>(std::move(group));
  pattern.alone = alone_rate(*pattern.group, solver_.capacities());
  pattern.held_by_ways = is_held_by_ways(*pattern.group, solver_.capacities());
  for (const std::int32_t item : pattern.flowing) {
    const MaxMin::Key key = solver_.add(*pattern.group, pattern.alone);
    items_[at(item)].key = key;
    if (item_of_key_.size() <= at(key)) item_of_key_.resize(at(key) + 1);
    item_of_key_[at(key)] = item;
  }
}

}  // namespace trainyard
