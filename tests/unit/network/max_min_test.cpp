// MaxMin against its invariant, against itself solved afresh and against the textbook's
// water-filling.

#include "network/max_min.hpp"

#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace trainyard {
namespace {

// Sums over a few dozen groups: rounding stays far below; it is also what the invariant promises.
constexpr double kRounding = 1e-9;

// Links 0 .. count-1; every fifth one caps flows instead of being shared (FATPIPE).
Platform some_links(RandomStream& random, int count) {
  Platform platform;
  for (int l = 0; l < count; ++l) {
    Link link;
    link.bandwidth = bytes_per_second(1 + 99 * random.uniform());
    link.shared = l % 5 != 4;
    platform.links.push_back(link);
  }
  return platform;
}

// One to six links, each once, with loads over two orders of magnitude.
FlowGroup random_group(RandomStream& random, const Platform& platform) {
  std::map<LinkId, double> loads;
  for (std::uint64_t hops = 1 + random.below(6); hops > 0; --hops) {
    const auto link = static_cast<std::int64_t>(random.below(platform.links.size()));
    loads[LinkId(link)] = 0.1 + 10 * random.uniform();
  }
  FlowGroup group;
  group.length = 1;
  for (const auto& [link, load] : loads) {
    group.demands.push_back({link, load});
    if (!platform.links[link.index()].shared)
      group.caps.push_back({link, load * (0.2 + 0.8 * random.uniform())});
  }
  return group;
}

std::vector<FlowGroup> random_groups(RandomStream& random, const Platform& platform, int count) {
  std::vector<FlowGroup> groups(static_cast<std::size_t>(count));
  for (FlowGroup& group : groups) group = random_group(random, platform);
  return groups;
}

using Rates = std::map<MaxMin::Key, double>;

// Groups in play, by key, beside the solver that knows them.
struct Instance {
  Platform platform;
  Capacities capacities;
  MaxMin solver;
  std::map<MaxMin::Key, const FlowGroup*> groups;

  explicit Instance(Platform links)
      : platform(std::move(links)),
        capacities(nominal_capacities(platform)),
        solver(capacities, platform) {}

  void add(const FlowGroup& group) { groups[solver.add(group)] = &group; }
  double carried(LinkId link) const {
    double sum = 0;
    for (const auto& [key, group] : groups)
      for (const Demand& demand : group->demands)
        if (demand.link == link) sum += solver.rate(key) * demand.load;
    return sum;
  }
  bool shared(LinkId link) const { return platform.links[link.index()].shared; }
};

double cap_of(const FlowGroup& group, const Capacities& capacities) {
  double cap = std::numeric_limits<double>::infinity();
  for (const Demand& demand : group.caps)
    cap = std::min(cap, capacities[demand.link.index()] / demand.load);
  return cap;
}

// The lowest common rate at which a shared link is full, given the rates that stand already.
double lowest_full_link(const Instance& instance, const Rates& frozen) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < instance.platform.links.size(); ++l) {
    if (!instance.platform.links[l].shared) continue;
    double residual = instance.capacities[l], rising = 0;
    for (const auto& [key, group] : instance.groups)
      for (const Demand& demand : group->demands) {
        if (demand.link.index() != l) continue;
        const auto rate = frozen.find(key);
        if (rate == frozen.end())
          rising += demand.load;
        else
          residual -= rate->second * demand.load;
      }
    if (rising > 0) lowest = std::min(lowest, residual / rising);
  }
  return lowest;
}

// Whether the group, at `rate`, fills one of its links or meets its own cap.
bool is_stopped(const Instance& instance, const FlowGroup& group, const Rates& frozen,
                double rate) {
  if (cap_of(group, instance.capacities) <= rate * (1 + kRounding)) return true;
  return std::any_of(group.demands.begin(), group.demands.end(), [&](const Demand& demand) {
    if (!instance.shared(demand.link)) return false;
    double used = 0;
    for (const auto& [key, other] : instance.groups)
      for (const Demand& d : other->demands)
        if (d.link == demand.link) used += d.load * (frozen.count(key) ? frozen.at(key) : rate);
    return used >= instance.capacities[demand.link.index()] * (1 - kRounding);
  });
}

// Bertsekas and Gallager's progressive filling, word for word: all rates rise together until a link
// is full or a group at its cap; those concerned stand still; the others go on rising.
Rates water_filling(const Instance& instance) {
  Rates frozen;
  while (frozen.size() < instance.groups.size()) {
    double level = lowest_full_link(instance, frozen);
    for (const auto& [key, group] : instance.groups)
      if (frozen.count(key) == 0) level = std::min(level, cap_of(*group, instance.capacities));
    std::vector<MaxMin::Key> stopped;
    for (const auto& [key, group] : instance.groups)
      if (frozen.count(key) == 0 && is_stopped(instance, *group, frozen, level))
        stopped.push_back(key);
    if (stopped.empty()) throw std::logic_error("water-filling stops nobody");
    for (const MaxMin::Key key : stopped) frozen[key] = level;
  }
  return frozen;
}

void expect_invariant(const Instance& instance) {
  for (std::size_t l = 0; l < instance.platform.links.size(); ++l) {
    const LinkId link(static_cast<std::int64_t>(l));
    if (!instance.shared(link)) continue;
    EXPECT_LE(instance.carried(link), instance.capacities[l] * (1 + kRounding)) << "link " << l;
  }
  for (const auto& [key, group] : instance.groups) {
    const double rate = instance.solver.rate(key);
    if (rate >= alone_rate(*group, instance.capacities) * (1 - kRounding)) continue;
    const bool held =
        std::any_of(group->demands.begin(), group->demands.end(), [&](const Demand& demand) {
          if (!instance.shared(demand.link)) return false;
          const auto& users = instance.solver.users(demand.link);
          return instance.carried(demand.link) >=
                     instance.capacities[demand.link.index()] * (1 - kRounding) &&
                 std::all_of(users.begin(), users.end(), [&](const MaxMin::User& user) {
                   return instance.solver.rate(user.key) <= rate * (1 + kRounding);
                 });
        });
    EXPECT_TRUE(held) << "group " << key << " could go faster";
  }
}

TEST(MaxMin, FillsNoLinkBeyondItsCapacityAndHoldsNobodyBackWithoutAReason) {
  RandomStream random(1);
  for (int trial = 0; trial < 300; ++trial) {
    Instance instance(some_links(random, 2 + trial % 20));
    const std::vector<FlowGroup> groups = random_groups(random, instance.platform, 1 + trial % 30);
    for (const FlowGroup& group : groups) instance.add(group);
    instance.solver.solve();
    expect_invariant(instance);
  }
}

TEST(MaxMin, AgreesWithTheTextbooksWaterFilling) {
  RandomStream random(2);
  for (int trial = 0; trial < 200; ++trial) {
    Instance instance(some_links(random, 2 + trial % 15));
    const std::vector<FlowGroup> groups = random_groups(random, instance.platform, 1 + trial % 20);
    for (const FlowGroup& group : groups) instance.add(group);
    instance.solver.solve();
    for (const auto& [key, rate] : water_filling(instance))
      EXPECT_NEAR(instance.solver.rate(key), rate, rate * kRounding) << "trial " << trial;
  }
}

// One random change: a group comes, a group goes, or a link gets another capacity.
void change(Instance& instance, RandomStream& random, const std::vector<FlowGroup>& groups) {
  const std::uint64_t what = random.below(5);
  if (what < 2 || instance.groups.empty()) {
    instance.add(groups[random.below(groups.size())]);
  } else if (what < 4) {
    auto victim = instance.groups.begin();
    std::advance(victim, static_cast<std::ptrdiff_t>(random.below(instance.groups.size())));
    instance.solver.remove(victim->first);
    instance.groups.erase(victim);
  } else {
    const std::uint64_t link = random.below(instance.platform.links.size());
    instance.capacities[link] = 1 + 99 * random.uniform();
    instance.solver.set_capacity(LinkId(static_cast<std::int64_t>(link)),
                                 instance.capacities[link]);
  }
}

// The rates of a solver that never knew anything else.
std::vector<double> solved_afresh(const Instance& instance) {
  MaxMin fresh(instance.capacities, instance.platform);
  std::vector<MaxMin::Key> keys;
  for (const auto& [key, group] : instance.groups) keys.push_back(fresh.add(*group));
  fresh.solve();
  std::vector<double> rates;
  rates.reserve(keys.size());
  for (const MaxMin::Key key : keys) rates.push_back(fresh.rate(key));
  return rates;
}

TEST(MaxMin, SolvedStepByStepEqualsSolvedAfresh) {
  RandomStream random(3);
  for (int trial = 0; trial < 10; ++trial) {
    Instance instance(some_links(random, 12));
    const std::vector<FlowGroup> groups = random_groups(random, instance.platform, 15);
    for (int step = 0; step < 150; ++step) {
      for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes)
        change(instance, random, groups);
      instance.solver.solve();
      const std::vector<double> expected = solved_afresh(instance);
      std::size_t next = 0;
      for (const auto& [key, group] : instance.groups) {
        EXPECT_NEAR(instance.solver.rate(key), expected[next], expected[next] * kRounding);
        EXPECT_DOUBLE_EQ(instance.solver.alone(key), alone_rate(*group, instance.capacities));
        ++next;
      }
    }
  }
}

TEST(MaxMin, TellsOfEveryLinkThatBecomesFullOrStopsBeingSo) {
  RandomStream random(4);
  Instance instance(some_links(random, 8));
  const std::vector<FlowGroup> groups = random_groups(random, instance.platform, 10);
  std::set<LinkId> full;
  for (int step = 0; step < 500; ++step) {
    change(instance, random, groups);
    instance.solver.solve();
    for (const auto& [link, became_full] : instance.solver.saturation_changes()) {
      EXPECT_NE(full.count(link) != 0, became_full) << "told twice";
      if (became_full)
        full.insert(link);
      else
        full.erase(link);
    }
    for (std::size_t l = 0; l < instance.platform.links.size(); ++l) {
      const LinkId link(static_cast<std::int64_t>(l));
      const bool is_full = instance.solver.users(link).size() > 1 &&
                           instance.carried(link) >= instance.capacities[l] * (1 - kRounding);
      EXPECT_EQ(full.count(link) != 0, is_full) << "link " << l << " step " << step;
    }
  }
}

// Each link holds back what it is the reason for, and nothing else.
TEST(MaxMin, NamesTheFullLinkThatHoldsAGroupBack) {
  RandomStream random(5);
  for (int trial = 0; trial < 100; ++trial) {
    Instance instance(some_links(random, 10));
    const std::vector<FlowGroup> groups = random_groups(random, instance.platform, 12);
    for (const FlowGroup& group : groups) instance.add(group);
    instance.solver.solve();
    for (const auto& [key, group] : instance.groups) {
      const LinkId link = instance.solver.bottleneck(key);
      const bool slowed = instance.solver.rate(key) < instance.solver.alone(key) * (1 - kRounding);
      ASSERT_EQ(link.valid(), slowed);
      if (!slowed) continue;
      EXPECT_NEAR(instance.carried(link), instance.capacities[link.index()],
                  instance.capacities[link.index()] * kRounding);
    }
  }
}

}  // namespace
}  // namespace trainyard
