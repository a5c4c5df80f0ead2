#include "collectives/rings/ring_search.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace trainyard {
namespace {

using Order = std::vector<int>;

struct Rules {
  bool both_ways;  // a ring takes its links in both directions, and counts twice
  bool relays;
};

// Whole rings of one bandwidth: how often each pair can be used, and the rings that fit.
class Search {
public:
  Search(int members, std::vector<int> uses, Rules rules)
      : n_(members), uses_(std::move(uses)), rules_(rules) {}

  // Deterministic: gives up after a fixed number of steps with the best so far.
  std::vector<Order> run() {
    add_ring();
    return best_;
  }
  // No more rings than the member with the fewest links has.
  int bound() const {
    int bound = 1 << 30;
    for (int a = 0; a < n_; ++a) {
      int out = 0;
      int in = 0;
      for (int b = 0; b < n_; ++b) {
        out += uses_[pair(a, b)];
        in += uses_[pair(b, a)];
      }
      bound = std::min({bound, out, in});
    }
    return rules_.both_ways ? bound / 2 : bound;
  }

private:
  std::size_t pair(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(n_) +
           static_cast<std::size_t>(to);
  }
  bool done() const { return static_cast<int>(best_.size()) >= bound_ || steps_ > kMostSteps; }

  void add_ring() {
    if (best_.empty() && rings_.empty()) bound_ = bound();
    if (rings_.size() > best_.size()) best_ = rings_;
    if (done()) return;
    Order order = {0};
    extend(order);
  }

  void extend(Order& order) {
    ++steps_;
    if (done()) return;
    const int last = order.back();
    if (static_cast<int>(order.size()) == n_) return close(order);
    for (int next = 1; next < n_ && !done(); ++next) {
      if (std::find(order.begin(), order.end(), next) != order.end()) continue;
      over(last, next, [&] {
        order.push_back(next);
        extend(order);
        order.pop_back();
      });
    }
  }

  // Rings in rising order only: which of two was found first makes no difference. Of a ring taken
  // both ways, the one of its two directions that comes first.
  void close(const Order& order) {
    if (!rings_.empty() && order < rings_.back()) return;
    if (rules_.both_ways && order[1] > order.back()) return;
    over(order.back(), 0, [&] {
      rings_.push_back(order);
      add_ring();
      rings_.pop_back();
    });
  }

  // Goes on while the link, or the two by way of a third member, are taken.
  template <typename GoOn>
  void over(int from, int to, const GoOn& go_on) {
    if (take(from, to)) {
      go_on();
      give_back(from, to);
      return;
    }
    for (int by = 0; rules_.relays && by < n_ && !done(); ++by) {
      if (by == from || by == to || !take(from, by)) continue;
      if (take(by, to)) {
        go_on();
        give_back(by, to);
      }
      give_back(from, by);
    }
  }

  bool take(int from, int to) {
    if (uses_[pair(from, to)] == 0 || (rules_.both_ways && uses_[pair(to, from)] == 0))
      return false;
    --uses_[pair(from, to)];
    if (rules_.both_ways) --uses_[pair(to, from)];
    return true;
  }
  void give_back(int from, int to) {
    ++uses_[pair(from, to)];
    if (rules_.both_ways) ++uses_[pair(to, from)];
  }

  static constexpr int kMostSteps = 1 << 20;
  int n_;
  std::vector<int> uses_;
  Rules rules_;
  int bound_ = 0;
  int steps_ = 0;
  std::vector<Order> rings_, best_;
};

Ring ring_of(const Order& order) {
  Ring ring;
  for (const int member : order) ring.order.emplace_back(member);
  return ring;
}

std::vector<Ring> with_reverses(const std::vector<Order>& orders) {
  std::vector<Ring> rings;
  for (const Order& order : orders) {
    rings.push_back(ring_of(order));
    rings.push_back(ring_of({order.rbegin(), order.rend()}));
  }
  return rings;
}

std::vector<Ring> rings_with(int members, const std::vector<int>& uses, bool relays) {
  Search one_way(members, uses, {/*both_ways=*/false, relays});
  std::vector<Ring> rings;
  if (members > 2) {
    rings = with_reverses(Search(members, uses, {/*both_ways=*/true, relays}).run());
    if (static_cast<int>(rings.size()) >= one_way.bound()) return rings;
  }
  const std::vector<Order> more = one_way.run();
  if (more.size() <= rings.size()) return rings;
  rings.clear();
  for (const Order& order : more) rings.push_back(ring_of(order));
  return rings;
}

// Bandwidths worth trying: a pair's whole, or an equal part of it; fastest first.
std::vector<Bandwidth> speeds(const LinkMatrix& links) {
  std::set<double> all;
  for (const Bandwidth whole : links.between)
    for (int parts = 1; parts <= 4; ++parts)
      if (whole > Bandwidth()) all.insert(in_bytes_per_second(whole) / parts);
  std::vector<Bandwidth> result;
  for (auto speed = all.rbegin(); speed != all.rend(); ++speed)
    result.push_back(bytes_per_second(*speed));
  return result;
}

FoundRings search(const LinkMatrix& links, bool relays) {
  constexpr double kClearly = 1 + 1e-9;
  FoundRings best;
  for (const Bandwidth speed : speeds(links)) {
    std::vector<int> uses;
    for (const Bandwidth whole : links.between)
      uses.push_back(static_cast<int>(whole / speed * kClearly));
    FoundRings found{rings_with(links.members, uses, relays), speed, relays};
    if (found.total() > best.total() * kClearly) best = std::move(found);
  }
  return best;
}

}  // namespace

FoundRings find_rings(const LinkMatrix& links) {
  if (links.members < 2) return {};
  FoundRings direct = search(links, /*relays=*/false);
  return direct.rings.empty() ? search(links, /*relays=*/true) : direct;
}

}  // namespace trainyard
