// The life of jobs: requeue, limits, signals, reservations, whole nodes.

#include "rule_world.hpp"

#include <gtest/gtest.h>

namespace trainyard::slurm {
namespace {

// A node fails: age starts again, and the job may run 121 s later.
TEST(SlurmLife, ANodeFailureRequeuesAfterTheCredentialHasExpired) {
  const Story story(rule_site("NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL MaxTime=600\n"),
                    {{"A", 0, 600, "--nodes=1 --exclusive"}},
                    {{100, "scontrol update nodename=n1 state=down"}});
  EXPECT_EQ(story.end_state("A"), "REQUEUED");
  EXPECT_GE(story.start("A", 1), 100 + 121);
  EXPECT_EQ(story.record("A").restarts, 1);
}

TEST(SlurmLife, ANodeFailureEndsWhatMayNotBeRequeued) {
  const Story story(rule_site("NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL MaxTime=600\n"),
                    {{"A", 0, 600, "--nodes=1 --exclusive --no-requeue"}},
                    {{100, "scontrol update nodename=n1 state=down"}});
  EXPECT_EQ(story.end_state("A"), "NODE_FAIL");
}

// 120 s before its end, seen when limits are looked at, every 30 s.
TEST(SlurmLife, ASignalIsSentBeforeTheLimit) {
  const Story story(rule_site("NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL MaxTime=600\n"),
                    {{"A", 0, 900, "--nodes=1 --time=10 --signal=B:USR1@120"},
                     {"B", 0, 900, "--nodes=1 --time=10"}});
  ASSERT_EQ(story.end_state("A"), "TIMEOUT");
  const Segment& run = story.result().segments.at(0);
  const double limit = run.start + 600;
  EXPECT_LE(run.warned, limit - 120);
  EXPECT_GE(run.warned, limit - 120 - 60);
  EXPECT_EQ(story.result().segments.at(1).warned, -1);
}

// Nodes reserved in an hour: by its limit a job avoids them, whatever it really runs.
TEST(SlurmReservations, AJobThatMightReachIntoOneAvoidsItsNodes) {
  const auto nodes_of = [](const std::string& minutes) {
    return Story(rule_site("NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL MaxTime=600\n"),
                 {{"A", 10, 300, "--nodes=1 --time=" + minutes}},
                 {{1,
                   "scontrol create reservation reservationname=r starttime=now+3600 "
                   "duration=60 nodes=n1 user=root"}})
        .nodes("A");
  };
  EXPECT_EQ(nodes_of("61"), "n2");
  EXPECT_EQ(nodes_of("58"), "n1");
}

// ---- Whole nodes ----

TEST(SlurmSharing, SelectLinearAndExclusivePartitionsGiveWholeNodes) {
  const std::string nodes = "NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL MaxTime=600";
  for (const std::string& conf :
       {"SelectType=select/linear\n" + nodes + "\n", nodes + " OverSubscribe=EXCLUSIVE\n"}) {
    const SlurmSite site = rule_site(conf);
    SlurmJob job = rule_job(site, "A", "--nodes=1");
    share_as_the_site_does(site, job);
    EXPECT_TRUE(job.request.exclusive) << conf;
  }
}

}  // namespace
}  // namespace trainyard::slurm
