// The two schedulers and preemption: the worked examples of the rules. Stories
// begin at an instant that is a full hour of Slurm's clock.

#include "rule_world.hpp"
#include "schedulers/slurm/passes/main_pass.hpp"

#include <gtest/gtest.h>

namespace trainyard::slurm {
namespace {

const char* const kTwoPartitions =
    "SchedulerType=sched/builtin\nNodeName=n[1-6] CPUs=4\n"
    "PartitionName=p Nodes=n[1-4] Default=YES MaxTime=600\n"
    "PartitionName=q Nodes=n[3-6] MaxTime=600\n";

// P's first job needs all of its four nodes, one of which is busy; then comes a job of Q.
std::string node_of_q(const std::string& first_of_p) {
  Instant cluster{rule_site(kTwoPartitions)};
  cluster.occupy("n4");
  cluster.queue(first_of_p, "p");
  const int other = cluster.queue("--nodes=1 --exclusive", "q");
  Decisions decisions;
  main_pass(cluster.state(), PassDepth::FullQueue, decisions);
  const NodeSet& nodes = cluster.state().job(other).allocation.nodes;
  return nodes.size() == 0 ? "none" : cluster.site().nodes[std::size_t(nodes.first())].name;
}

TEST(SlurmMainPass, AClosedPartitionKeepsItsNodesFromOthersToo) {
  EXPECT_EQ(node_of_q("--nodes=4 --exclusive"), "n5");
}

TEST(SlurmMainPass, AJobThatNamesItsNodesWithdrawsOnlyThose) {
  Instant cluster{rule_site(kTwoPartitions)};
  cluster.occupy("n4");
  cluster.queue("--nodes=2 --nodelist=n[3-4] --exclusive", "p");
  const int next = cluster.queue("--nodes=1 --exclusive", "p");
  Decisions decisions;
  main_pass(cluster.state(), PassDepth::FullQueue, decisions);
  EXPECT_TRUE(cluster.state().job(next).running());
  EXPECT_EQ(node_of_q("--nodes=2 --nodelist=n[3-4] --exclusive"), "n5");
}

// The depth is tested before it is counted: 101 records.
TEST(SlurmMainPass, AQuickPassTriesOneMoreThanItsDepth) {
  Instant cluster{
      rule_site("NodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=n[1-2] Default=YES MaxTime=600\n"
                "PartitionName=q Nodes=n[3-4] MaxTime=600\n")};
  cluster.occupy("n[1-2]");
  for (int i = 0; i < 100; ++i) cluster.queue("--nodes=1 --exclusive", "p");
  const int first = cluster.queue("--nodes=1 --exclusive", "q");
  const int second = cluster.queue("--nodes=1 --exclusive", "q");
  Decisions decisions;
  main_pass(cluster.state(), PassDepth::Default, decisions);
  EXPECT_TRUE(cluster.state().job(first).running());
  EXPECT_TRUE(cluster.state().job(second).pending());
}

const char* const kEight =
    "SchedulerParameters=bf_interval=30\nNodeName=n[1-8] CPUs=4\n"
    "PartitionName=p Nodes=ALL Default=YES MaxTime=600\n";

// R runs ten minutes of its hour on four nodes; A needs all eight; B would end a minute before or
// after R's limit.
Story beside_a_reservation(int minutes) {
  return Story(rule_site(kEight),
               {{"R", 0, 3000, "--nodes=4 --exclusive --time=60"},
                {"A", 1, 60, "--nodes=8 --exclusive --time=10"},
                {"B", 2, 60, "--nodes=4 --exclusive --time=" + std::to_string(minutes)}});
}

TEST(SlurmBackfill, AShorterJobStartsBeforeTheReservationALongerOneDoesNot) {
  EXPECT_LT(beside_a_reservation(58).start("B"), 60);
  EXPECT_GT(beside_a_reservation(61).start("B"), 3000);
}

// Limits, not true run times: A is planned for the end of R's limit.
TEST(SlurmBackfill, PlansCountWithLimits) {
  const Story story(rule_site(kEight),
                    {{"R", 0, 3000, "--nodes=4 --exclusive --time=60"},
                     {"A", 1, 60, "--nodes=8 --exclusive --time=10"}},
                    {}, 600);
  EXPECT_NEAR(static_cast<double>(story.record("A").planned_start), 3600, 5);
}

TEST(SlurmSubmission, ABatchJobWaitsForTheNextPass) {
  const Story story(rule_site(kEight), {{"A", 30, 60, "--nodes=1"}});
  EXPECT_GT(story.start("A"), 30);
  EXPECT_LE(story.start("A"), 34);
}

// ---- Preemption ----

const std::string kPreempting =
    "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nNodeName=n[01-14] CPUs=4\n"
    "PartitionName=low Nodes=ALL Default=YES MaxTime=600\n"
    "PartitionName=low2 Nodes=ALL PriorityTier=2 MaxTime=600\n"
    "PartitionName=high Nodes=ALL PriorityTier=3 MaxTime=600\n";

TEST(SlurmPreemption, OnlyTheJobWhoseNodesSufficeGoes) {
  const Story story(rule_site(kPreempting), {{"two", 0, 900, "--nodes=2 --exclusive"},
                                             {"four", 0, 900, "--nodes=4 --exclusive"},
                                             {"eight", 0, 900, "--nodes=8 --exclusive"},
                                             {"victor", 20, 60, "--nodes=8 --exclusive", "high"}});
  EXPECT_EQ(story.end_state("eight"), "REQUEUED");
  EXPECT_EQ(story.end_state("two"), "COMPLETED");
  EXPECT_EQ(story.end_state("four"), "COMPLETED");
}

TEST(SlurmPreemption, TheLowerClassGoesHoweverLarge) {
  const Story story(rule_site(kPreempting), {{"large", 0, 900, "--nodes=13 --exclusive", "low"},
                                             {"small", 0, 900, "--nodes=1 --exclusive", "low2"},
                                             {"victor", 20, 60, "--nodes=1 --exclusive", "high"}});
  EXPECT_EQ(story.end_state("large"), "REQUEUED");
  EXPECT_EQ(story.end_state("small"), "COMPLETED");
}

TEST(SlurmPreemption, AVictimThatMayNotBeRequeuedEndsPreempted) {
  const Story story(rule_site(kPreempting),
                    {{"victim", 0, 900, "--nodes=14 --exclusive --no-requeue"},
                     {"victor", 20, 60, "--nodes=1 --exclusive", "high"}});
  EXPECT_EQ(story.end_state("victim"), "PREEMPTED");
  EXPECT_EQ(story.start("victim", 1), -1);
}

// SUSPEND keeps GPUs: who needs them waits.
TEST(SlurmPreemption, SuspendingFreesNoGpu) {
  const Story story(
      rule_site("PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nGresTypes=gpu\n"
                "NodeName=n1 CPUs=8 Gres=gpu:2\n"
                "PartitionName=low Nodes=ALL Default=YES MaxTime=600\n"
                "PartitionName=high Nodes=ALL PriorityTier=2 MaxTime=600\n"),
      {{"low", 0, 900, "--nodes=1 --cpus-per-task=8 --gpus-per-node=2"},
       {"high", 20, 60, "--nodes=1 --cpus-per-task=8 --gpus-per-node=2", "high"}});
  EXPECT_GE(story.start("high"), 900);
}

// Warned at once, killed when the grace time is over and somebody looks.
TEST(SlurmPreemption, AGraceTimeIsWaitedFor) {
  const Story story(
      rule_site("PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\nNodeName=n1 CPUs=4\n"
                "PartitionName=low Nodes=ALL Default=YES MaxTime=600 GraceTime=60\n"
                "PartitionName=high Nodes=ALL PriorityTier=2 MaxTime=600\n"),
      {{"low", 0, 900, "--nodes=1 --exclusive"},
       {"high", 20, 60, "--nodes=1 --exclusive", "high"}});
  EXPECT_GE(story.end("low"), 20 + 60);
  EXPECT_LE(story.end("low"), 20 + 60 + 40);
}

}  // namespace
}  // namespace trainyard::slurm
