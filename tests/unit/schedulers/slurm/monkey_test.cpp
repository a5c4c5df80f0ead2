// A monkey at the controller: it submits, cancels, holds, requeues, fails, drains and reserves at
// random, jobs preempt each other, and after every event what must always hold is looked at.

#include "base/rng.hpp"
#include "schedulers/slurm/controller/scontrol.hpp"
#include "schedulers/slurm/queue/queue.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace trainyard::slurm {
namespace {

#ifdef NDEBUG
constexpr int kEvents = 34'000;  // of each of the three
#else
constexpr int kEvents = 3'000;
#endif
constexpr int kNodes = 16;
constexpr std::size_t kMostWaiting = 40;

const char* const kPlain =
    "SelectType=select/cons_tres\nPriorityType=priority/multifactor\nPriorityWeightJobSize=1000\n"
    "NodeName=n[01-16] Sockets=2 CoresPerSocket=8 Gres=gpu:8\n"
    "PartitionName=low Nodes=ALL Default=YES MaxTime=60\n"
    "PartitionName=high Nodes=n[01-12] PriorityTier=2 MaxTime=60\n";
const char* const kPreempting =
    "SelectType=select/cons_tres\nPriorityType=priority/multifactor\nPriorityWeightJobSize=1000\n"
    "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
    "NodeName=n[01-16] Sockets=2 CoresPerSocket=8 Gres=gpu:8\n"
    "PartitionName=low Nodes=ALL Default=YES MaxTime=60 GraceTime=20\n"
    "PartitionName=high Nodes=n[01-12] PriorityTier=2 MaxTime=60\n";
const char* const kTree =
    "SwitchName=a Nodes=n[01-05]\nSwitchName=b Nodes=n[06-10]\nSwitchName=c Nodes=n[11-16]\n"
    "SwitchName=top Switches=a,b,c\n";

class Monkey {
public:
  Monkey(const SlurmSite& site, std::uint64_t seed)
      : site_(site), random_(RandomSource(seed).stream("monkey")), controller_(site, Cadence()) {}

  void act() {
    const int what = below(100);
    if (what < 45) return state().pending.size() < kMostWaiting ? submit() : pass(60);
    if (what < 50) return command("scancel " + any_job());
    if (what < 52) return command("scontrol hold " + any_job());
    if (what < 55) return command("scontrol release " + any_job());
    if (what < 57) return command("scontrol requeue " + any_job());
    if (what < 59) return command("scontrol update nodename=" + any_node() + " state=down");
    if (what < 61) return command("scontrol update nodename=" + any_node() + " state=drain");
    if (what < 67) return command("scontrol update nodename=" + any_node() + " state=resume");
    if (what < 68) return reserve();
    if (what < 69) return command("scontrol delete reservationname=r" + std::to_string(below(4)));
    pass(below(30));
  }

  void pass(int seconds) {
    const double until = now_ + seconds;
    while (true) {
      const double wake = controller_.next_wake();
      const double next = happenings_.empty() ? wake : std::min(wake, happenings_.begin()->first);
      if (next > until) break;
      now_ = next;
      wake <= next ? carry_out(controller_.wake(wake)) : happen();
    }
    now_ = until;
    controller_.set_time(now_);
  }

  void check() const {
    every_record_is_somewhere();
    nothing_is_given_away_twice();
  }

  // Higher tiers first, then higher priorities: here a job that can preempt is of a higher tier.
  void check_queue() {
    const std::vector<QueueEntry> queue = build_queue(state());
    for (std::size_t i = 1; i < queue.size(); ++i) {
      const int before = state().partition(queue[i - 1].partition).tier;
      const int after = state().partition(queue[i].partition).tier;
      ASSERT_GE(before, after);
      if (before == after) {
        ASSERT_GE(queue[i - 1].priority, queue[i].priority);
      }
    }
  }

  int starts = 0, preemptions = 0;
  std::size_t submitted() const { return jobs_.size(); }
  SlurmState& state() { return controller_.state(); }
  const SlurmState& state() const { return controller_.state(); }

private:
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  std::string any_job() { return std::to_string(1 + below(static_cast<int>(jobs_.size()) + 1)); }
  std::string any_node() { return site_.nodes[static_cast<std::size_t>(below(kNodes))].name; }

  void submit() {
    SlurmJob job;
    job.id = std::to_string(jobs_.size() + 1);
    job.partitions = {below(2)};
    Request& request = job.request;
    request.min_nodes = below(4) == 0 ? 1 + below(8) : 1;
    request.max_nodes = request.wanted_nodes = request.tasks = request.min_nodes;
    request.gpus_per_node = 1 << below(4);
    request.cpus_per_task = 1 + below(2 * request.gpus_per_node);
    request.exclusive = below(10) == 0;
    job.no_kill = below(5) == 0;
    job.requeue = below(4) != 0;
    job.time_limit = 1 + below(30);
    job.run_time = 1 + below(70 * *job.time_limit);  // some run into their limits
    if (below(10) == 0) job.begin = now_ + below(300);
    jobs_.push_back(job);
    std::string refusal;
    ASSERT_FALSE(controller_.submit(jobs_.back(), now_, refusal).empty()) << refusal;
  }

  void reserve() {
    command("scontrol create reservation reservationname=r" + std::to_string(below(4)) +
            " starttime=now+" + std::to_string(below(1200)) +
            " duration=" + std::to_string(1 + below(20)) + " nodes=" + any_node());
  }

  void command(const std::string& action) {
    controller_.set_time(now_);
    carry_out(run_scontrol(controller_, action, now_).decisions);
  }

  // The state is that after all of them: a node that is started on may be cleaned by now.
  void carry_out(const Decisions& decisions) {
    bool kills = false;
    for (const Decision& each : decisions) kills |= each.kind == DecisionKind::Kill;
    for (const Decision& decision : decisions) {
      JobRecord& record = state().job(decision.job);
      if (decision.kind == DecisionKind::Start) started(record, kills);
      if (decision.kind == DecisionKind::Kill) {
        preemptions += decision.for_job >= 0 ? 1 : 0;
        ++run_of_[record.index];
        clean(record);
      }
    }
  }

  void started(JobRecord& record, bool kills) {
    ++starts;
    for (const NodeShare& share : record.allocation.shares) {
      ASSERT_TRUE(state().available.has(share.node)) << record.id;
      ASSERT_FALSE(!kills && state().completing.has(share.node)) << record.id;
      ASSERT_GE(gpu_count(share.gpus), record.job->request.gpus_per_node);
    }
    ASSERT_EQ(static_cast<int>(record.allocation.shares.size()), record.job->request.min_nodes);
    for (const AdvanceReservation& each : state().reservations) {
      const bool meets = each.start < record.end && each.end > state().now;
      ASSERT_FALSE(meets && record.allocation.nodes.intersects(each.nodes)) << each.name;
    }
    happenings_.insert({now_ + record.job->run_time, {record.index, -1, ++run_of_[record.index]}});
  }

  // A run's end, or a node's report after it.
  struct Happening {
    int job, node, run;
  };

  void happen() {
    const Happening what = happenings_.begin()->second;
    happenings_.erase(happenings_.begin());
    JobRecord& record = state().job(what.job);
    controller_.set_time(now_);
    if (what.node >= 0) {
      if (node_cleaned(state(), record, what.node)) carry_out(controller_.pass_now(now_));
    } else if (record.running() && run_of_[what.job] == what.run) {
      carry_out(controller_.job_finished(record, "COMPLETED", now_));
      clean(record);
    }
  }

  void clean(const JobRecord& record) {
    for (const NodeShare& share : record.allocation.shares)
      if (!state().is_down(share.node))
        happenings_.insert({now_ + 0.5 + below(3), {record.index, share.node, 0}});
  }

  void every_record_is_somewhere() const {
    std::size_t pending = 0, running = 0, done = 0;
    for (int i = 0; i < state().job_count(); ++i) {
      const JobRecord& record = state().job(i);
      pending += record.pending() ? 1U : 0U;
      running += record.running() ? 1U : 0U;
      done += record.state == JobState::Done ? 1U : 0U;
    }
    ASSERT_EQ(pending, state().pending.size());
    ASSERT_EQ(running, state().running.size());
    ASSERT_EQ(pending + running + done, jobs_.size());
  }

  // Counted anew from the allocations.
  void nothing_is_given_away_twice() const {
    std::vector<std::uint64_t> gpus(kNodes);
    std::vector<int> cores(kNodes), holders(kNodes);
    for (const int index : state().running)
      for (const NodeShare& share : state().job(index).allocation.shares) {
        const auto node = static_cast<std::size_t>(share.node);
        ASSERT_EQ(gpus[node] & share.gpus, 0U) << share.node;
        gpus[node] |= share.gpus;
        for (const std::int16_t of_socket : share.cores) cores[node] += of_socket;
        ++holders[node];
      }
    for (const int index : state().running) {
      const bool alone = state().job(index).job->request.exclusive;
      for (const NodeShare& share : state().job(index).allocation.shares)
        ASSERT_LE(holders[static_cast<std::size_t>(share.node)], alone ? 1 : 8);
    }
    for (int node = 0; node < kNodes; ++node) {
      const auto n = static_cast<std::size_t>(node);
      ASSERT_LE(cores[n], site_.nodes[n].cores());
      ASSERT_EQ(gpus[n], state().use[node].gpus);
      const int free = site_.nodes[n].gpus() - gpu_count(gpus[n]);
      ASSERT_TRUE(state().with_free_gpus(free).has(node)) << node;
      ASSERT_FALSE(state().with_free_gpus(free + 1).has(node)) << node;
    }
  }

  const SlurmSite& site_;
  RandomStream random_;
  Slurmctld controller_;
  double now_ = 0;
  std::deque<SlurmJob> jobs_;
  std::multimap<double, Happening> happenings_;
  std::map<int, int> run_of_;
};

SlurmSite site_of(const std::string& conf, bool tree) {
  SlurmSite site;
  read_slurm_conf(site, "slurm.conf", conf);
  if (tree) read_topology_conf(site, "topology.conf", kTree);
  return site;
}

void play(const SlurmSite& site, bool preempts) {
  Monkey monkey(site, 7);
  for (int event = 0; event < kEvents; ++event) {
    monkey.act();
    if (event % 20 == 0) monkey.check();
    if (event % 50 == 0) monkey.check_queue();
    if (testing::Test::HasFatalFailure()) FAIL() << "after event " << event;
  }
  EXPECT_GT(monkey.starts, kEvents / 10);
  EXPECT_EQ(monkey.preemptions > 0, preempts);
}

TEST(SlurmMonkey, GivesNothingAwayTwiceAndLosesNoJob) { play(site_of(kPlain, false), false); }
TEST(SlurmMonkey, NorOnATreeOfSwitches) { play(site_of(kPlain, true), false); }
TEST(SlurmMonkey, NorWhereJobsPreemptEachOther) { play(site_of(kPreempting, true), true); }

}  // namespace
}  // namespace trainyard::slurm
