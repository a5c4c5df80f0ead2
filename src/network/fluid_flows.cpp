// Fluid's flows: onto the links and off them, their rates, and whose fault a slow one is.
#include "network/fluid.hpp"

#include <algorithm>

namespace trainyard {

void Fluid::begin_flow(std::int32_t id) {
  Item& item = items_[at(id)];
  item.kind = Kind::Flow;
  item.rate = 0;
  item.since = clock_;
  item.key = solver_.add(*patterns_[at(item.pattern)].group, patterns_[at(item.pattern)].alone);
  if (item_of_key_.size() <= at(item.key)) item_of_key_.resize(at(item.key) + 1);
  item_of_key_[at(item.key)] = id;
  unsettled_ = true;
}

// Takes the flow off the links; what it has moved so far counts.
void Fluid::end_flow(std::int32_t id) {
  Item& item = items_[at(id)];
  if (item.key < 0) return;
  accrue(id);
  solver_.remove(item.key);
  item.key = -1;
  unsettled_ = true;
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
  for (const Rival& rival : rivals_[at(id)])
    state_of(item.domain).blame[rival.key] += lost * rival.share;
}

// Who else moves bytes over the link that holds the item back, in proportion. Its own domain's
// flows take their part of the slow-down but are no rivals: they slow the job down in isolation
// too.
void Fluid::note_rivals(std::int32_t id) {
  std::vector<Rival>& rivals = rivals_[at(id)];
  rivals.clear();
  const Item& item = items_[at(id)];
  const LinkId link = solver_.bottleneck(item.key);
  if (!link.valid()) return;
  double others = 0;
  for (const MaxMin::User& user : solver_.users(link)) {
    if (user.key == item.key) continue;
    const Item& other = items_[at(item_of_key_[at(user.key)])];
    others += other.rate * user.load;
    if (other.domain != item.domain)
      rivals.push_back({{other.domain, link}, other.rate * user.load});
  }
  for (Rival& rival : rivals) rival.share /= others;
}

Blame Fluid::take_blame(Domain domain) {
  Blame blame;
  if (at(domain + 1) >= domains_.size()) return blame;
  for (const std::int32_t id : state_of(domain).items)
    if (items_[at(id)].kind == Kind::Flow && items_[at(id)].key >= 0) accrue(id);
  std::swap(blame, state_of(domain).blame);
  return blame;
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
  }
  unsettled_ = true;
}

// Rates follow the flows that came and went; what was moved so far is accrued at the old ones.
void Fluid::settle() {
  if (!unsettled_) return;
  unsettled_ = false;
  const std::vector<MaxMin::Key>& solved = solver_.solve();
  for (const MaxMin::Key key : solved) {
    const std::int32_t id = item_of_key_[at(key)];
    Item& item = items_[at(id)];
    accrue(id);
    item.alone = solver_.alone(key);
    if (item.rate == solver_.rate(key)) continue;  // its end stays where it is
    item.rate = solver_.rate(key);
    item.date = clock_ + item.remaining / item.rate;
    schedule(id);
  }
  for (const MaxMin::Key key : solved) note_rivals(item_of_key_[at(key)]);
  note_saturation_changes();
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
