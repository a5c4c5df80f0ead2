// Fluid's patterns and what they have moved: the totals of every link.
#include "network/fluid.hpp"

namespace trainyard {

Fluid::PatternId Fluid::add_pattern(std::shared_ptr<const FlowGroup> group) {
  if (unused_patterns_.empty()) {
    unused_patterns_.push_back(static_cast<PatternId>(patterns_.size()));
    patterns_.emplace_back();
  }
  const PatternId id = unused_patterns_.back();
  unused_patterns_.pop_back();
  const double alone = alone_rate(*group, solver_.capacities());
  Pattern& pattern = patterns_[at(id)];
  pattern.group = std::move(group);
  pattern.alone = alone;
  pattern.alive = true;
  pattern.held_by_ways = is_held_by_ways(*pattern.group, solver_.capacities());
  return id;
}

void Fluid::account() {
  for (std::size_t id = 0; id < items_.size(); ++id)
    if (items_[id].kind == Kind::Flow && items_[id].key >= 0) accrue(static_cast<std::int32_t>(id));
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

// Moves what the pattern has moved so far into the totals.
void Fluid::close(Pattern& pattern) {
  add_traffic(*pattern.group, {pattern.progress, pattern.alone_time}, solver_.capacities(), bytes_,
              alone_saturated_);
  pattern.progress = pattern.alone_time = 0;
}

void Fluid::drop_pattern(PatternId id) {
  close(patterns_[at(id)]);
  patterns_[at(id)] = Pattern{};
  unused_patterns_.push_back(id);
}

void Fluid::credit(PatternId id, double times) {
  Pattern& pattern = patterns_[at(id)];
  if (pattern.group->demands.empty()) return;
  pattern.progress += times * pattern.group->length;
  pattern.alone_time += times * pattern.group->length / pattern.alone;
}

Fluid::Traffic Fluid::traffic() const {
  Traffic total{bytes_, alone_saturated_};
  for (const Pattern& pattern : patterns_)
    if (pattern.alive)
      add_traffic(*pattern.group, {pattern.progress, pattern.alone_time}, solver_.capacities(),
                  total.bytes, total.saturated);
  return total;
}

std::vector<double> Fluid::link_bytes() const { return traffic().bytes; }

std::vector<double> Fluid::link_saturated_s() const {
  std::vector<double> saturated = traffic().saturated;
  for (std::size_t link = 0; link < saturated.size(); ++link)
    saturated[link] += shared_saturated_[link];
  return saturated;
}

}  // namespace trainyard
