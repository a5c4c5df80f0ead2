#include "network/fluid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace trainyard {

namespace {

constexpr double kSimultaneous = 1e-12;  // seconds; below any latency that is modelled
constexpr double kRebaseAfter = 1000;    // seconds: keeps dates exact to 1e-13 s

}  // namespace

Fluid::Fluid(Capacities capacities, const Platform& platform)
    : domains_(1),
      solver_(std::move(capacities), platform),
      bytes_(platform.links.size()),
      alone_saturated_(platform.links.size()),
      shared_saturated_(platform.links.size()),
      saturated_since_(platform.links.size(), -1.0) {}

Fluid::PatternId Fluid::add_pattern(std::shared_ptr<const FlowGroup> group) {
  if (unused_patterns_.empty()) {
    unused_patterns_.push_back(static_cast<PatternId>(patterns_.size()));
    patterns_.emplace_back();
  }
  const PatternId id = unused_patterns_.back();
  unused_patterns_.pop_back();
  const double alone = alone_rate(*group, solver_.capacities());
  patterns_[at(id)] = Pattern{std::move(group), alone, 0, 0, true};
  return id;
}

namespace {

struct Moved {
  double progress, alone_time;
};

// Adds a pattern's traffic to totals: its bytes on every link, and its time at full speed on its
// tight ones.
void add_traffic(const FlowGroup& group, Moved moved, const Capacities& capacities,
                 std::vector<double>& bytes, std::vector<double>& saturated) {
  const double alone = alone_rate(group, capacities);
  std::size_t next_cap = 0;
  for (const Demand& demand : group.demands) {
    const bool unshared = next_cap < group.caps.size() && group.caps[next_cap].link == demand.link;
    const double load = unshared ? group.caps[next_cap++].load : demand.load;
    bytes[demand.link.index()] += moved.progress * demand.load;
    if (alone * load >= capacities[demand.link.index()] * (1 - 1e-9))
      saturated[demand.link.index()] += moved.alone_time;
  }
}

}  // namespace

void Fluid::drop_pattern(PatternId id) {
  Pattern& pattern = patterns_[at(id)];
  add_traffic(*pattern.group, {pattern.progress, pattern.alone_time}, solver_.capacities(), bytes_,
              alone_saturated_);
  pattern = Pattern{};
  unused_patterns_.push_back(id);
}

void Fluid::credit(PatternId id, double times) {
  Pattern& pattern = patterns_[at(id)];
  if (pattern.group->demands.empty()) return;
  pattern.progress += times * pattern.group->length;
  pattern.alone_time += times * pattern.group->length / pattern.alone;
}

Fluid::Handle Fluid::start(Item item, double duration) {
  if (unused_items_.empty()) {
    unused_items_.push_back(static_cast<std::int32_t>(items_.size()));
    items_.emplace_back();
    rivals_.emplace_back();
  }
  const std::int32_t id = unused_items_.back();
  unused_items_.pop_back();
  item.generation = items_[at(id)].generation;
  item.started = starts_++;
  item.schedule = items_[at(id)].schedule;  // goes on: entries of its predecessor stay stale
  if (at(item.domain + 1) >= domains_.size()) domains_.resize(at(item.domain + 1) + 1);
  DomainState& domain = state_of(item.domain);
  item.slot = domain.items.size();
  domain.items.push_back(id);
  item.frozen = domain.frozen;
  item.date = item.frozen ? duration : clock_ + duration;
  items_[at(id)] = item;
  schedule(id);
  return (static_cast<Handle>(item.generation) << 32) | id;
}

Fluid::Handle Fluid::start_delay(Domain domain, Seconds duration, Listener* listener,
                                 std::int64_t tag) {
  Item item;
  item.kind = Kind::Delay;
  item.domain = domain;
  item.listener = listener;
  item.tag = tag;
  return start(item, in_seconds(duration));
}

Fluid::Handle Fluid::start_flow(Domain domain, PatternId pattern, Listener* listener,
                                std::int64_t tag) {
  Item item;
  item.kind = Kind::Latency;
  item.domain = domain;
  item.pattern = pattern;
  item.listener = listener;
  item.tag = tag;
  return start(item, in_seconds(patterns_[at(pattern)].group->latency));
}

// Puts the item's end into the event heap, unless it stands still.
void Fluid::schedule(std::int32_t id) {
  Item& item = items_[at(id)];
  ++item.schedule;
  if (item.frozen || (item.kind == Kind::Flow && item.rate <= 0)) return;
  events_.push_back({item.date, order_++, id, item.schedule});
  std::push_heap(events_.begin(), events_.end(), std::greater<>());
}

void Fluid::withdraw(Handle handle) {
  const auto id = static_cast<std::int32_t>(handle & 0xffffffff);
  const auto generation = static_cast<std::uint32_t>(handle >> 32);
  Item& item = items_[at(id)];
  if (item.kind == Kind::Free || item.generation != generation) return;
  if (item.kind == Kind::Flow) end_flow(id);
  release(id);
}

void Fluid::release(std::int32_t id) {
  Item& item = items_[at(id)];
  std::vector<std::int32_t>& list = state_of(item.domain).items;
  list[item.slot] = list.back();
  items_[at(list[item.slot])].slot = item.slot;
  list.pop_back();
  item.kind = Kind::Free;
  ++item.generation;
  ++item.schedule;
  unused_items_.push_back(id);
}

// ---- Flows ----

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

// ---- Time ----

Seconds Fluid::until_next() {
  settle();
  while (!events_.empty()) {
    const Event& next = events_.front();
    if (items_[at(next.item)].schedule == next.schedule)
      return Seconds(std::max(0.0, next.date - clock_));
    std::pop_heap(events_.begin(), events_.end(), std::greater<>());
    events_.pop_back();
  }
  return forever();
}

void Fluid::advance(Seconds delta) {
  settle();
  clock_ += in_seconds(delta);
  std::vector<std::int32_t> ended;
  while (!events_.empty() && events_.front().date <= clock_ + kSimultaneous) {
    const Event event = events_.front();
    std::pop_heap(events_.begin(), events_.end(), std::greater<>());
    events_.pop_back();
    if (items_[at(event.item)].schedule == event.schedule && has_ended(event.item))
      ended.push_back(event.item);
  }
  if (clock_ > kRebaseAfter) rebase();
  tell(std::move(ended));
}

// The item's date has come: its end, or of a latency the beginning of the flow.
bool Fluid::has_ended(std::int32_t id) {
  Item& item = items_[at(id)];
  if (item.kind == Kind::Latency && !patterns_[at(item.pattern)].group->demands.empty()) {
    item.remaining = patterns_[at(item.pattern)].group->length;
    begin_flow(id);
    return false;
  }
  if (item.kind == Kind::Flow) {
    accrue(id);
    patterns_[at(item.pattern)].progress += item.remaining;  // rounding: exactly its length in all
    item.remaining = 0;
    end_flow(id);
  }
  item.kind = Kind::Ended;
  ++completions_;
  return true;
}

// Each keeps its place until its listener is told: an earlier listener may withdraw it.
void Fluid::tell(std::vector<std::int32_t> ended) {
  std::sort(ended.begin(), ended.end(), [this](std::int32_t a, std::int32_t b) {
    return items_[at(a)].started < items_[at(b)].started;
  });
  std::vector<std::uint32_t> generations;
  generations.reserve(ended.size());
  for (const std::int32_t id : ended) generations.push_back(items_[at(id)].generation);
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const Item item = items_[at(ended[i])];
    if (item.generation != generations[i]) continue;
    release(ended[i]);
    item.listener->completed(item.tag);
  }
}

void Fluid::rebase() {
  const double shift = std::floor(clock_);  // whole seconds: the base stays exact
  shared_saturated();
  for (Event& event : events_) event.date -= shift;
  for (Item& item : items_) {
    if (!item.frozen) item.date -= shift;
    item.since -= shift;
  }
  for (const LinkId link : full_links_) saturated_since_[link.index()] -= shift;
  base_ += shift;
  clock_ -= shift;
}

// ---- Time compression ----

void Fluid::freeze(Domain domain) {
  if (at(domain + 1) >= domains_.size()) domains_.resize(at(domain + 1) + 1);
  DomainState& state = state_of(domain);
  if (state.frozen) return;
  settle();
  state.frozen = true;
  for (const std::int32_t id : state.items) {
    Item& item = items_[at(id)];
    if (item.kind == Kind::Flow) {
      end_flow(id);
    } else {
      item.date = std::max(0.0, item.date - clock_);
    }
    item.frozen = true;
    ++item.schedule;
  }
}

void Fluid::thaw(Domain domain) {
  DomainState& state = state_of(domain);
  if (!state.frozen) return;
  state.frozen = false;
  for (const std::int32_t id : state.items) {
    Item& item = items_[at(id)];
    item.frozen = false;
    if (item.kind == Kind::Flow) {
      begin_flow(id);
    } else {
      item.date += clock_;
      schedule(id);
    }
  }
}

std::vector<double> Fluid::link_bytes() const {
  std::vector<double> bytes = bytes_, saturated = alone_saturated_;
  for (const Pattern& pattern : patterns_)
    if (pattern.alive)
      add_traffic(*pattern.group, {pattern.progress, pattern.alone_time}, solver_.capacities(),
                  bytes, saturated);
  return bytes;
}

std::vector<double> Fluid::link_saturated_s() const {
  std::vector<double> bytes = bytes_, saturated = alone_saturated_;
  for (const Pattern& pattern : patterns_)
    if (pattern.alive)
      add_traffic(*pattern.group, {pattern.progress, pattern.alone_time}, solver_.capacities(),
                  bytes, saturated);
  for (std::size_t link = 0; link < saturated.size(); ++link)
    saturated[link] += shared_saturated_[link];
  return saturated;
}

}  // namespace trainyard
