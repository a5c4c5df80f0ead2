// Priorities, fair tree and the order of the queue: the worked examples of the rules.

#include "rule_world.hpp"
#include "schedulers/slurm/queue/fair_tree.hpp"
#include "schedulers/slurm/queue/priority.hpp"
#include "schedulers/slurm/queue/queue.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard::slurm {
namespace {

constexpr Time kDay = Time{24} * 3600;

std::string conf(const std::string& settings) {
  return "PriorityType=priority/multifactor\nAccountingStorageType=accounting_storage/slurmdbd\n" +
         settings +
         "NodeName=n[01-10] CPUs=16\nPartitionName=p Nodes=ALL Default=YES MaxTime=600\n"
         "PartitionName=high Nodes=ALL PriorityTier=2 MaxTime=600\n";
}

// One day in the queue of a week's PriorityMaxAge: 1000/7 = 142.86, and the sum is cut.
TEST(SlurmPriority, TheSumIsCutNotRounded) {
  Instant cluster{rule_site(conf("PriorityWeightAge=1000\n")), 30 * kDay};
  JobRecord& record = cluster.state().job(cluster.queue("--nodes=1"));
  record.accrue = cluster.state().now - kDay;
  EXPECT_EQ(priority_factors(cluster.state(), record, 0).sum(), 142);
}

TEST(SlurmPriority, NothingIsBelowOneButWhatIsHeld) {
  Instant cluster{rule_site(conf(""))};
  JobRecord& record = cluster.state().job(cluster.queue("--nodes=1"));
  record.nice = 100;
  EXPECT_EQ(priority_factors(cluster.state(), record, 0).sum(), 1);
}

// Two of ten nodes, 64 of 160 CPUs: (0.2 + 0.4) / 2.
TEST(SlurmPriority, TheSizeIsHalfNodesHalfCpus) {
  const auto size_of = [](const std::string& settings) {
    Instant cluster{rule_site(conf("PriorityWeightJobSize=1000\n" + settings))};
    const int job = cluster.queue("--nodes=2 --ntasks=2 --cpus-per-task=32");
    return priority_factors(cluster.state(), cluster.state().job(job), 0).sum();
  };
  EXPECT_EQ(size_of(""), 300);
  EXPECT_EQ(size_of("PriorityFavorSmall=YES\n"), 700);
}

// The decay of a second is 1 - 0.693 / half-life, which is not quite one half after a half-life:
// 1000 becomes 500.07.
TEST(SlurmPriority, UsageAfterAHalfLifeIsALittleMoreThanHalf) {
  SlurmSite site = rule_site(conf("PriorityDecayHalfLife=7-0\n"));
  read_sacctmgr_lines(site, "accounts", "add account a\nadd user user account=a\n");
  Instant cluster(site);
  SlurmState& state = cluster.state();
  cluster.occupy("n01");
  JobRecord& record = state.job(0);
  record.association = site.accounting.association_index("a", "user");
  state.usage.charge(site, {&record}, state.now);
  state.usage.charge(site, {&record}, state.now + 100);
  const double before = state.usage.raw(record.association);
  ASSERT_GT(before, 0);
  state.usage.charge(site, {}, state.now + 100 + 7 * kDay);
  EXPECT_NEAR(1000 * state.usage.raw(record.association) / before, 500.07, 0.01);
}

// ---- Fair tree ----

struct Branch {
  const char *account, *user;
  int parent;
  double usage;
};

// Equal shares everywhere; the factors of users, in order.
std::vector<double> factors(const std::vector<Branch>& branches,
                            FairTreeTies ties = FairTreeTies::AsRead) {
  std::vector<SlurmAssociation> associations;
  std::vector<double> usage;
  for (const Branch& each : branches) {
    SlurmAssociation association;
    association.account = each.account, association.user = each.user;
    association.parent = each.parent;
    associations.push_back(association);
    usage.push_back(each.usage);
  }
  const std::vector<double> all = fair_tree(associations, usage, ties);
  std::vector<double> users;
  for (std::size_t i = 0; i < branches.size(); ++i)
    if (*branches[i].user) users.push_back(all[i]);
  return users;
}

// Shares 1/3 each; usage 1/6, 1/6 and 1/3... of the whole make levels 2, 2 and 1.
TEST(SlurmFairTree, TiesShareARankAndTheNextSkips) {
  const std::vector<double> found =
      factors({{"root", "", -1, 6}, {"a", "u", 0, 1}, {"a", "v", 0, 1}, {"a", "w", 0, 2}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_DOUBLE_EQ(found[0], 1);
  EXPECT_DOUBLE_EQ(found[1], 1);
  EXPECT_NEAR(found[2], 1.0 / 3, 1e-12);
}

TEST(SlurmFairTree, WithoutUsageAllAreOne) {
  const std::vector<double> found = factors({{"root", "", -1, 0},
                                             {"A", "", 0, 0},
                                             {"A", "a", 1, 0},
                                             {"A", "b", 1, 0},
                                             {"B", "", 0, 0},
                                             {"B", "c", 4, 0},
                                             {"B", "d", 4, 0}});
  EXPECT_EQ(found, (std::vector<double>{1, 1, 1, 1}));
}

// Accounts A and B tie. A: a1 at 2 (a quarter of its usage), a2 at 1 (half); B: b1 at 3, b2 at 1/2.
TEST(SlurmFairTree, TiedAccountsAreMergedOnlyAsDocumented) {
  const std::vector<Branch> branches = {{"root", "", -1, 24}, {"A", "", 0, 12}, {"A", "a1", 1, 3},
                                        {"A", "a2", 1, 6},    {"B", "", 0, 12}, {"B", "b1", 4, 2},
                                        {"B", "b2", 4, 12}};
  EXPECT_EQ(factors(branches), (std::vector<double>{1, 0.75, 0.75, 0.25}));
  EXPECT_EQ(factors(branches, FairTreeTies::Documented), (std::vector<double>{0.75, 0.5, 1, 0.25}));
}

// ---- The queue ----

std::vector<int> order(Instant& cluster) {
  std::vector<int> jobs;
  for (const QueueEntry& entry : build_queue(cluster.state())) jobs.push_back(entry.job);
  return jobs;
}

TEST(SlurmQueue, TheTierComesBeforeThePriority) {
  Instant cluster{rule_site(conf(""))};
  const int low = cluster.queue("--nodes=1"), high = cluster.queue("--nodes=1", "high");
  cluster.state().job(low).priorities = {1e6};
  EXPECT_EQ(order(cluster), (std::vector<int>{high, low}));
}

TEST(SlurmQueue, EqualJobsGoByTheirNumbers) {
  Instant cluster{rule_site(conf(""))};
  const int first = cluster.queue("--nodes=1"), second = cluster.queue("--nodes=1");
  std::swap(cluster.state().job(first).number, cluster.state().job(second).number);
  EXPECT_EQ(order(cluster), (std::vector<int>{second, first}));
}

// A job whose begin time is now has no age, unless ACCRUE_ALWAYS counts from its submission.
TEST(SlurmPriority, AgeCountsFromTheTimeAJobMayRun) {
  const auto age_of = [](const std::string& settings) {
    Instant cluster{rule_site(conf("PriorityWeightAge=1000\n" + settings)), 30 * kDay};
    SlurmState& state = cluster.state();
    JobRecord& record = state.job(cluster.queue("--nodes=1"));
    record.submitted = state.now - kDay, record.begin = state.now;
    if (state.site.parameters.priority.accrue_always) record.accrue = record.submitted;
    build_queue(state);
    return priority_factors(state, record, 0).sum();
  };
  EXPECT_EQ(age_of(""), 1);
  EXPECT_EQ(age_of("PriorityFlags=ACCRUE_ALWAYS\n"), 142);
}

}  // namespace
}  // namespace trainyard::slurm
