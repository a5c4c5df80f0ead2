// Backfill's short cuts change no decision: forecasts shared by jobs, and floors below which no
// place is looked for, against will_run() and a search that looks everywhere.

#include "base/rng.hpp"
#include "schedulers/slurm/controller/slurmctld.hpp"
#include "schedulers/slurm/passes/backfill/backfill.hpp"
#include "schedulers/slurm/passes/backfill/will_run_fast.hpp"
#include "schedulers/slurm/passes/main_pass.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace trainyard::slurm {
namespace {

constexpr int kNodes = 24;

SlurmSite random_site(RandomStream& random, bool tree) {
  SlurmSite site;
  read_slurm_conf(site, "slurm.conf",
                  "SelectType=select/cons_tres\nSchedulerParameters=bf_resolution=" +
                      std::to_string(60 * (1 + random.below(3))) +
                      "\nNodeName=n[01-24] Sockets=2 CoresPerSocket=8 Gres=gpu:8\n"
                      "PartitionName=p Nodes=ALL Default=YES\n");
  if (tree)
    read_topology_conf(site, "topology.conf",
                       "SwitchName=a Nodes=n[01-06]\nSwitchName=b Nodes=n[07-12]\n"
                       "SwitchName=c Nodes=n[13-18]\nSwitchName=d Nodes=n[19-24]\n"
                       "SwitchName=l Switches=a,b\nSwitchName=r Switches=c,d\n"
                       "SwitchName=top Switches=l,r\n");
  return site;
}

std::deque<SlurmJob> random_jobs(RandomStream& random, int count) {
  std::deque<SlurmJob> jobs(static_cast<std::size_t>(count));
  int number = 0;
  for (SlurmJob& job : jobs) {
    job.id = std::to_string(number++);
    job.partitions = {0};
    Request& request = job.request;
    request.min_nodes = random.below(3) == 0 ? 1 + static_cast<int>(random.below(kNodes)) : 1;
    request.max_nodes = request.wanted_nodes = request.tasks = request.min_nodes;
    request.gpus_per_node = 1 << random.below(4);
    request.cpus_per_task = 2 * request.gpus_per_node;
    job.time_limit = 1 + static_cast<int>(random.below(random.below(2) == 0 ? 10 : 300));
  }
  return jobs;
}

// A cluster on which a first pass has started what fits; some of it has run for a while, some has
// ended, and the rest waits.
class Cluster {
public:
  Cluster(const SlurmSite& site, const std::deque<SlurmJob>& jobs, std::uint64_t seed)
      : controller_(site, Cadence()) {
    RandomStream random = RandomSource(seed).stream("cluster");
    std::string refusal;
    Decisions decisions;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      controller_.submit(jobs[i], static_cast<double>(i), refusal);
      if (i % 3 == 0) main_pass(state(), PassDepth::FullQueue, decisions);
    }
    const std::vector<int> running = state().running;
    for (const int index : running)
      if (random.below(4) == 0) {
        finish_job(state(), state().job(index), "COMPLETED");
        const Allocation gone = state().job(index).allocation;
        for (const NodeShare& share : gone.shares)
          if (random.below(8) != 0) node_cleaned(state(), state().job(index), share.node);
      }
    controller_.set_time(static_cast<double>(jobs.size() + random.below(400)));
  }
  SlurmState& state() { return controller_.state(); }

private:
  Slurmctld controller_;
};

TEST(WillRunFast, AnswersAsWillRunDoesWheneverItAnswers) {
  int answered = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random = RandomSource(seed).stream("will run");
    const SlurmSite site = random_site(random, seed % 2 == 0);
    const std::deque<SlurmJob> jobs = random_jobs(random, 60);
    Cluster cluster(site, jobs, seed);
    SlurmState& state = cluster.state();
    Forecast forecast(state);
    const std::vector<int> pending = state.pending;
    for (const int index : pending) {
      NodeSet candidates(kNodes);
      candidates.fill([&](int) { return random.below(5) != 0; });
      for (const Horizon horizon : {Horizon::Ever, Horizon::NowOnly}) {
        JobRecord& record = state.job(index);
        const auto fast = will_run_fast(state, record, {candidates, horizon}, forecast);
        if (fast.answer == FastAnswer::Unknown) continue;
        ++answered;
        const std::optional<WillRun> slow = will_run(state, record, candidates, horizon);
        ASSERT_EQ(fast.answer == FastAnswer::Found, slow.has_value()) << seed << ' ' << record.id;
        if (!slow) continue;
        ASSERT_EQ(fast.found.start, slow->start) << seed << ' ' << record.id;
        ASSERT_EQ(fast.found.nodes, slow->nodes) << seed << ' ' << record.id;
      }
    }
  }
  EXPECT_GT(answered, 1000);
}

struct Outcome {
  BackfillCycle cycle;
  std::vector<Time> planned, starts;
};

Outcome cycle_of(const SlurmSite& site, const std::deque<SlurmJob>& jobs, std::uint64_t seed) {
  Cluster cluster(site, jobs, seed);
  Outcome outcome;
  Decisions decisions;
  outcome.cycle = backfill_cycle(cluster.state(), decisions);
  for (int i = 0; i < cluster.state().job_count(); ++i) {
    outcome.planned.push_back(cluster.state().job(i).planned_start);
    outcome.starts.push_back(cluster.state().job(i).start);
  }
  return outcome;
}

TEST(Backfill, PlacesNotLookedForWouldNotHaveBeenFound) {
  int reserved = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomStream random = RandomSource(seed).stream("floors");
    const SlurmSite site = random_site(random, seed % 2 == 0);
    std::deque<SlurmJob> jobs = random_jobs(random, 90);
    const Outcome fast = cycle_of(site, jobs, seed);
    // Jobs that exclude a node (here: none, in so many words) are looked for everywhere.
    for (SlurmJob& job : jobs) job.request.excluded = NodeSet(kNodes);
    const Outcome slow = cycle_of(site, jobs, seed);
    ASSERT_EQ(fast.planned, slow.planned) << seed;
    ASSERT_EQ(fast.starts, slow.starts) << seed;
    ASSERT_EQ(fast.cycle.tested, slow.cycle.tested) << seed;
    ASSERT_EQ(fast.cycle.reserved, slow.cycle.reserved) << seed;
    reserved += fast.cycle.reserved;
  }
  EXPECT_GT(reserved, 5000);
}

}  // namespace
}  // namespace trainyard::slurm
