// Fluid's clock: items start, end in their order, and are told of.
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
    item.remaining = item.part * patterns_[at(item.pattern)].group->length;
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

}  // namespace trainyard
