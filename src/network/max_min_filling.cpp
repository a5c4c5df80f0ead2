// The filling of one component: the rate of all its groups rises until each is frozen, by a link
// that is full or by its alone rate.
//
// A link's freezing level only rises while others freeze, so a stale heap entry is simply pushed
// again.
#include "network/max_min.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace trainyard {

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

void MaxMin::fill() {
  for (const Key key : component_) groups_[index(key)].frozen = false;
  rising_ = component_.size();
  if (component_links_.empty()) {  // nothing is shared
    for (const Key key : component_) {
      GroupState& state = groups_[index(key)];
      freeze(state, state.alone, LinkId());
    }
    return;
  }
  fill_heap();
  while (rising_ > 0) {
    const auto [level, what] = heap_.front();
    if (what < 0) {
      drop_first();
      GroupState& state = groups_[index(-1 - what)];
      if (!state.frozen) freeze(state, level, LinkId());
      continue;
    }
    const double now = freezing_level(LinkId(what));
    if (now > level && now < std::numeric_limits<double>::infinity()) {
      heap_.front().first = now;
      sift_down_first();
      continue;
    }
    drop_first();
    if (now <= level) freeze_users(LinkId(what), now);
  }
}

void MaxMin::drop_first() {
  heap_.front() = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sift_down_first();
}

// Restores the heap after its first entry has risen: in one pass, where a pop and a push take two.
void MaxMin::sift_down_first() {
  const std::size_t size = heap_.size();
  const Level moving = heap_.front();
  std::size_t hole = 0;
  for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && heap_[child + 1] < heap_[child]) ++child;
    if (moving < heap_[child]) break;
    heap_[hole] = heap_[child];
    hole = child;
  }
  heap_[hole] = moving;
}

// Every group's alone rate and every link's first freezing level.
void MaxMin::fill_heap() {
  heap_.clear();
  for (const Key key : component_) heap_.emplace_back(groups_[index(key)].alone, -1 - key);
  for (const LinkId link : component_links_) heap_.emplace_back(freezing_level(link), link.value());
  std::make_heap(heap_.begin(), heap_.end(), std::greater<Level>());
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

}  // namespace trainyard
