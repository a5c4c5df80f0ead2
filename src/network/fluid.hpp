// Fluid: everything that takes simulated time, as plain data around one clock. Delays (computation,
// waiting) and flows (a latency, then bytes at a max-min fair rate). No engine, no actors:
// SimGrid's adapter drives it inside a simulation, and the isolated-step evaluation drives a
// private one.
//
// Every item belongs to a domain (one job attempt). A frozen domain stands still: its items keep
// their remaining time and bytes, and new ones wait with them (time compression jumps while domains
// are frozen). Dates are kept relative to a base of whole seconds that moves with the clock, so
// that a microsecond is exact after a year.
//
// INVARIANT: completions happen in order of (date, order of start); those within a picosecond are
// simultaneous. What is withdrawn is never told of, not even in the instant in which it ends.
#pragma once

#include "network/adaptive/division.hpp"
#include "network/max_min.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace trainyard {

// Told when something it started has ended. Called outside any iteration: it may start and withdraw
// freely.
class Listener {
public:
  virtual void completed(std::int64_t tag) = 0;

protected:
  ~Listener() = default;
};

using Domain = std::int32_t;
constexpr Domain kNoDomain = -1;  // never frozen

// Seconds of slow-down a domain's flows suffered on a link because of another domain's flows there.
struct RivalKey {
  Domain rival;
  LinkId link;
  friend bool operator<(const RivalKey& a, const RivalKey& b) {
    return a.rival != b.rival ? a.rival < b.rival : a.link < b.link;
  }
};
using Blame = std::map<RivalKey, double>;

class Fluid {
public:
  using PatternId = std::int32_t;
  using Handle = std::int64_t;  // stays invalid for ever once its item has ended

  Fluid(Capacities capacities, const Platform& platform);

  // A flow group that will be started many times. Dropping it credits its traffic to the link
  // totals.
  PatternId add_pattern(std::shared_ptr<const FlowGroup> group);
  void drop_pattern(PatternId pattern);
  const FlowGroup& pattern(PatternId pattern) const { return *patterns_[at(pattern)].group; }
  // As if the pattern had been played `times` more: its bytes, and the time its own tight links are
  // full.
  void credit(PatternId pattern, double times);

  Handle start_delay(Domain domain, Seconds duration, Listener* listener, std::int64_t tag);
  Handle start_flow(Domain domain, PatternId pattern, Listener* listener, std::int64_t tag);
  // The last `fraction` of a flow, without its latency: it goes on over other links than before.
  Handle start_rest(Domain domain, PatternId pattern, double fraction, Listener* listener,
                    std::int64_t tag);
  void withdraw(Handle handle);  // harmless when it has ended

  // Of a flow that has not ended: how much of its length is left, or nothing while it pays latency.
  std::optional<double> fraction_left(Handle handle);
  // From now on; flows under way follow. More than zero.
  void set_capacity(LinkId link, double bytes_per_second);

  void freeze(Domain domain);
  void thaw(Domain domain);

  // Until the next completion; forever() if there is none. Then advance() by that or less.
  Seconds until_next();
  void advance(Seconds delta);
  // A point in time whose distance to another is exact to 1e-13 s, however late it is.
  struct Instant {
    double base = 0, offset = 0;
    friend Seconds operator-(const Instant& a, const Instant& b) {
      return Seconds((a.base - b.base) + (a.offset - b.offset));
    }
  };
  Instant now() const { return {base_, clock_}; }
  std::int64_t completions() const { return completions_; }
  std::size_t links() const { return solver_.capacities().size(); }

  const Capacities& capacities() const { return solver_.capacities(); }

  // What rivals cost the domain since the last call.
  Blame take_blame(Domain domain);

  // Brings all that flows up to the clock, for the totals below.
  void account();
  // Totals by LinkId, patterns still alive included.
  std::vector<double> link_bytes() const;
  std::vector<double> link_saturated_s() const;
  // A jump of `factor` times the saturation observed since `before` (a copy of shared_saturated()).
  const std::vector<double>& shared_saturated();
  void credit_saturation(LinkId link, double seconds) {
    shared_saturated_[link.index()] += seconds;
  }

private:
  enum class Kind : std::uint8_t { Free, Delay, Latency, Flow, Ended };
  struct Item {
    Kind kind = Kind::Free;
    bool frozen = false;
    Domain domain = kNoDomain;
    PatternId pattern = -1;
    MaxMin::Key key = -1;
    std::uint32_t generation = 0, schedule = 0;
    std::uint64_t started = 0;  // in order of start
    std::size_t slot = 0;       // in its domain's list
    double date = 0;            // of the end, relative to base; when frozen: what remains
    double remaining = 0;       // Flow: progress to be made, at `since`
    double part = 1;            // of the pattern's length that it is to move
    double rate = 0, alone = 0, since = 0;
    Listener* listener = nullptr;
    std::int64_t tag = 0;
  };
  struct Pattern {
    std::shared_ptr<const FlowGroup> group;
    double alone = 0;       // its alone_rate()
    double progress = 0;    // units ever made
    double alone_time = 0;  // seconds at the alone rate
    bool alive = false;
    // Only if it can be divided anew:
    std::vector<std::int32_t> flowing;  // items on the links
    bool held_by_ways = false;          // alone, by a link that it might avoid
    bool settled_alone = false;         // and no other division is better then
    std::set<std::uint64_t> rejected;   // surroundings in which no other division is better
  };
  struct Rival {
    RivalKey key;
    double share;       // of the slow-down
    std::size_t entry;  // in its domain's blame
  };
  struct DomainState {
    std::vector<std::int32_t> items;
    bool frozen = false;
    std::vector<std::pair<RivalKey, double>> blame;  // since it was last taken; few
  };
  struct Event {
    double date;
    std::uint64_t order;
    std::int32_t item;
    std::uint32_t schedule;
    bool operator>(const Event& other) const {
      return date != other.date ? date > other.date : order > other.order;
    }
  };

  struct Traffic {  // by LinkId
    std::vector<double> bytes, saturated;
  };
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  DomainState& state_of(Domain domain) { return domains_[at(domain + 1)]; }
  Handle start(Item item, double duration);
  void schedule(std::int32_t id);
  bool has_ended(std::int32_t id);
  void tell(std::vector<std::int32_t> ended);
  void begin_flow(std::int32_t id);
  void end_flow(std::int32_t id);
  void accrue(std::int32_t id);
  struct Held {   // below its own speed
    LinkId link;  // by this one
    std::int32_t item;
  };
  double load_on(LinkId link, MaxMin::Key key) const;
  void note_rivals(LinkId link, const Held* first, const Held* last);
  void note_all_rivals(const std::vector<MaxMin::Key>& solved);
  static std::size_t blame_entry(const RivalKey& key, DomainState& domain);
  void settle();
  void solve();
  void join_divided(std::int32_t id);
  void leave_divided(std::int32_t id);
  void watch(const FlowGroup& group);
  bool divide_anew();
  bool crosses_saturated(const Pattern& pattern) const;
  bool meets_others(const Pattern& pattern) const;
  Surroundings surroundings(const Pattern& pattern) const;
  double carried(LinkId link) const;
  void replace(PatternId id, FlowGroup group);
  void close(Pattern& pattern);
  bool undisturbed(std::int32_t id) const;
  void take_rate(std::int32_t id);
  void note_saturation_changes();
  void release(std::int32_t id);
  void rebase();
  Traffic traffic() const;  // of all patterns, dropped ones included

  std::vector<Item> items_;
  std::vector<std::vector<Rival>> rivals_;          // by item: who holds it below its alone rate
  std::vector<Held> held_;                          // scratch of settle()
  std::vector<std::pair<Domain, double>> carried_;  // likewise
  std::vector<std::int32_t> unused_items_;
  std::vector<std::int32_t> item_of_key_;
  std::deque<Pattern> patterns_;  // a deque: MaxMin keeps pointers to groups
  std::vector<PatternId> unused_patterns_;
  // Under adaptive routing: by LinkId, patterns on the links that may divide over it; and those
  // that may have reason to.
  std::vector<std::vector<PatternId>> dividing_;
  std::set<PatternId> to_divide_;
  std::vector<DomainState> domains_;  // by domain + 1
  std::vector<Event> events_;         // a heap, earliest first; stale entries are skipped
  MaxMin solver_;
  std::vector<double> bytes_, alone_saturated_;             // of dropped patterns, by LinkId
  std::vector<double> shared_saturated_, saturated_since_;  // by LinkId; since < 0: not full
  std::vector<LinkId> full_links_;
  double base_ = 0, clock_ = 0;
  std::uint64_t order_ = 0, starts_ = 0;
  std::int64_t completions_ = 0;
  bool unsettled_ = false;
};

}  // namespace trainyard
