// Fluid's flows: onto the links and off them, and their rates.
#include "network/fluid.hpp"

#include <algorithm>

namespace trainyard {

void Fluid::begin_flow(std::int32_t id) {
  Item& item = items_[at(id)];
  item.kind = Kind::Flow;
  item.rate = 0;
  item.since = clock_;
  rivals_[at(id)].clear();
  item.key = solver_.add(*patterns_[at(item.pattern)].group, patterns_[at(item.pattern)].alone);
  if (item_of_key_.size() <= at(item.key)) item_of_key_.resize(at(item.key) + 1);
  item_of_key_[at(item.key)] = id;
  unsettled_ = true;
  join_divided(id);
}

// Takes the flow off the links; what it has moved so far counts.
void Fluid::end_flow(std::int32_t id) {
  Item& item = items_[at(id)];
  if (item.key < 0) return;
  accrue(id);
  solver_.remove(item.key);
  item.key = -1;
  unsettled_ = true;
  leave_divided(id);
}

// Brings progress, time at full speed and blame up to the clock.
void Fluid::accrue(std::int32_t id) {
  Item& item = items_[at(id)];
  const double elapsed = clock_ - item.since;
  item.since = clock_;
  if (elapsed <= 0) return;
  const double progress = std::min(item.remaining, item.rate * elapsed);
  item.remaining -= progress;
  Pattern& pattern = patterns_[at(item.pattern)];
  pattern.progress += progress;
  if (item.rate >= item.alone * (1 - 1e-9)) {
    pattern.alone_time += elapsed;
    return;
  }
  const double lost = elapsed * (1 - item.rate / item.alone);
  auto& blame = state_of(item.domain).blame;
  for (const Rival& rival : rivals_[at(id)]) blame[rival.entry].second += lost * rival.share;
}

// ---- Links that change ----

Fluid::Handle Fluid::start_rest(Domain domain, PatternId pattern, double fraction,
                                Listener* listener, std::int64_t tag) {
  Item item;
  item.kind = Kind::Latency;  // of no length
  item.domain = domain;
  item.pattern = pattern;
  item.part = fraction;
  item.listener = listener;
  item.tag = tag;
  return start(item, 0);
}

std::optional<double> Fluid::fraction_left(Handle handle) {
  const auto id = static_cast<std::int32_t>(handle & 0xffffffff);
  Item& item = items_[at(id)];
  if (item.kind == Kind::Ended) return 0;  // in this instant; its listener has not been told
  if (item.kind != Kind::Flow) return std::nullopt;
  if (item.key >= 0) accrue(id);
  return item.remaining / patterns_[at(item.pattern)].group->length;
}

void Fluid::set_capacity(LinkId link, double bytes_per_second) {
  settle();
  solver_.set_capacity(link, bytes_per_second);
  for (Pattern& pattern : patterns_) {
    if (!pattern.alive) continue;
    const std::vector<Demand>& demands = pattern.group->demands;
    if (std::any_of(demands.begin(), demands.end(),
                    [link](const Demand& d) { return d.link == link; }))
      pattern.alone = alone_rate(*pattern.group, solver_.capacities());
    pattern.held_by_ways = is_held_by_ways(*pattern.group, solver_.capacities());
    pattern.rejected.clear();
    pattern.settled_alone = false;
  }
  if (!dividing_.empty())
    to_divide_.insert(dividing_[link.index()].begin(), dividing_[link.index()].end());
  unsettled_ = true;
}

// Rates follow the flows that came and went, and what can be divided anew follows the rates. After
// so many rounds of that, the next change goes on from there.
void Fluid::settle() {
  constexpr int kMostRounds = 32;
  if (!unsettled_) return;
  unsettled_ = false;
  solve();
  for (int round = 0; round < kMostRounds && divide_anew(); ++round) solve();
}

// What was moved so far is accrued at the old rates.
void Fluid::solve() {
  const std::vector<MaxMin::Key>& solved = solver_.solve();
  for (const MaxMin::Key key : solved) {
    const std::int32_t id = item_of_key_[at(key)];
    if (!undisturbed(id)) take_rate(id);
    watch(*patterns_[at(items_[at(id)].pattern)].group);
  }
  note_all_rivals(solved);
  note_saturation_changes();
}

// At its own speed before and after: nothing to account for yet.
bool Fluid::undisturbed(std::int32_t id) const {
  const Item& item = items_[at(id)];
  return item.rate == solver_.rate(item.key) && item.alone == solver_.alone(item.key) &&
         rivals_[at(id)].empty() && !solver_.bottleneck(item.key).valid();
}

void Fluid::take_rate(std::int32_t id) {
  accrue(id);
  Item& item = items_[at(id)];
  item.alone = solver_.alone(item.key);
  if (item.rate == solver_.rate(item.key)) return;  // its end stays where it is
  item.rate = solver_.rate(item.key);
  item.date = clock_ + item.remaining / item.rate;
  schedule(id);
}

void Fluid::note_saturation_changes() {
  for (const auto& [link, full] : solver_.saturation_changes()) {
    double& since = saturated_since_[link.index()];
    if (!full && since >= 0) shared_saturated_[link.index()] += clock_ - since;
    since = full ? clock_ : -1;
    if (full) full_links_.push_back(link);
  }
}

const std::vector<double>& Fluid::shared_saturated() {
  std::vector<LinkId> still;
  for (const LinkId link : full_links_) {
    double& since = saturated_since_[link.index()];
    if (since < 0) continue;
    shared_saturated_[link.index()] += clock_ - since;
    since = clock_;
    if (std::find(still.begin(), still.end(), link) == still.end()) still.push_back(link);
  }
  full_links_ = std::move(still);
  return shared_saturated_;
}

}  // namespace trainyard
