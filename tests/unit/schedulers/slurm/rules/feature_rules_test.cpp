// --constraint, in each of its forms, wherever nodes are chosen.

#include "rule_world.hpp"
#include "schedulers/slurm/job/submit_text.hpp"

#include <gtest/gtest.h>

namespace trainyard::slurm {
namespace {

// a a b b ab ab c c
const char* const kConf =
    "NodeName=n[1-2] CPUs=4 Features=a\nNodeName=n[3-4] CPUs=4 Features=b\n"
    "NodeName=n[5-6] CPUs=4 Features=a,b\nNodeName=n[7-8] CPUs=4 Features=c\n"
    "PartitionName=p Nodes=ALL Default=YES MaxTime=600\n";

std::string nodes_for(const std::string& options) {
  return Instant(rule_site(kConf)).try_now(options);
}

std::string problem_of(const std::string& constraint) {
  FeatureConstraint result;
  return parse_constraint(constraint, result);
}

TEST(SlurmFeatures, EveryNodeHasWhatIsJoinedByAnd) {
  EXPECT_EQ(nodes_for("--nodes=2 --constraint=a&b"), "n5,n6");
  EXPECT_EQ(nodes_for("--nodes=2 --constraint=a,b"), "n5,n6");
  EXPECT_EQ(nodes_for("--nodes=2 -C=c"), "n7,n8");
}

TEST(SlurmFeatures, OrLetsNodesDiffer) {
  EXPECT_EQ(nodes_for("--nodes=4 --constraint=b|c"), "n3,n4,n5,n6");
  EXPECT_EQ(nodes_for("--nodes=6 --constraint=b|c"), "n3,n4,n5,n6,n7,n8");
}

// From left to right: (c|a)&b, not c|(a&b).
TEST(SlurmFeatures, AnExpressionIsReadFromLeftToRight) {
  EXPECT_EQ(nodes_for("--nodes=2 --constraint=c|a&b"), "n5,n6");
  EXPECT_EQ(nodes_for("--nodes=4 --constraint=c|(a&b)"), "n5,n6,n7,n8");
}

TEST(SlurmFeatures, AlternativesInBracketsAreTheSameForAllNodes) {
  EXPECT_EQ(nodes_for("--nodes=2 --constraint=[c|b]"), "n7,n8");
  EXPECT_EQ(nodes_for("--nodes=4 --constraint=[c|b]"), "n3,n4,n5,n6");
  EXPECT_EQ(Instant(rule_site(kConf)).submit_refusal("--nodes=5 --constraint=[c|b]"),
            "BadConstraints");
}

TEST(SlurmFeatures, AlternativesMayBeJoinedToWhatEveryNodeHas) {
  EXPECT_EQ(nodes_for("--nodes=2 --constraint=a&[c|b]"), "n5,n6");
}

TEST(SlurmFeatures, CountsInBracketsTakeNoNodeTwice) {
  EXPECT_EQ(nodes_for("--nodes=4 --constraint=[a*2&b*2]"), "n1,n2,n3,n4");
  EXPECT_EQ(nodes_for("--nodes=3 --constraint=[(a&b)*1&c*2]"), "n5,n7,n8");
  Instant busy(rule_site(kConf));
  busy.occupy("n[1-4]");
  EXPECT_EQ(busy.try_now("--nodes=4 --constraint=[a*2&b*2]"), "(Resources)");
  EXPECT_EQ(busy.try_now("--nodes=2 --constraint=[a*1&b*1]"), "n5,n6");
}

// The counted nodes are required; from the first of them the rest is taken upwards, then downwards.
TEST(SlurmFeatures, ACountAloneLeavesTheOtherNodesOpen) {
  EXPECT_EQ(nodes_for("--nodes=4 --constraint=c*2"), "n5,n6,n7,n8");
}

TEST(SlurmFeatures, WhatNoNodeCouldEverServeIsRefused) {
  Instant cluster{rule_site(kConf)};
  EXPECT_EQ(cluster.submit_refusal("--nodes=1 --constraint=z"), "InvalidFeature");
  EXPECT_EQ(cluster.submit_refusal("--nodes=1 --constraint=a&c"), "BadConstraints");
  EXPECT_EQ(cluster.submit_refusal("--nodes=5 --constraint=a"), "BadConstraints");
  EXPECT_EQ(cluster.submit_refusal("--nodes=4 --constraint=a"), "");
}

TEST(SlurmFeatures, WhatIsNotUnderstoodIsRefusedWithItsReason) {
  EXPECT_EQ(problem_of("a&b|c"), "");
  EXPECT_NE(problem_of("[a|b]&[c|a]").find("more than one pair of brackets"), std::string::npos);
  EXPECT_NE(problem_of("[a*2&b]").find("each feature has a count"), std::string::npos);
  EXPECT_NE(problem_of("[a&b]").find("joined by '|'"), std::string::npos);
  EXPECT_NE(problem_of("a*2&b").find("beside one without"), std::string::npos);
  EXPECT_NE(problem_of("a*2&b*2").find("in brackets"), std::string::npos);
  EXPECT_NE(problem_of("a&").find("missing"), std::string::npos);
  EXPECT_NE(problem_of("(a&b").find("')'"), std::string::npos);
  EXPECT_NE(problem_of("[a|b").find("']'"), std::string::npos);
  EXPECT_NE(problem_of("a*0").find("count"), std::string::npos);
}

// n1 and n2 end after ten minutes, n3 and n4 after five, the others are taken for an hour.
TEST(SlurmFeatures, BackfillForesightKeepsToThem) {
  Instant cluster{rule_site(kConf)};
  cluster.occupy("n[1-2]", 10);
  cluster.occupy("n[3-4]", 5);
  cluster.occupy("n[5-8]", 60);
  EXPECT_EQ(cluster.forecast("--nodes=2 --constraint=a"), "600: n1,n2");
  EXPECT_EQ(cluster.forecast("--nodes=2 --constraint=[a|b]"), "300: n3,n4");
  EXPECT_EQ(cluster.forecast("--nodes=2 --constraint=[a*1&b*1]"), "600: n1,n3");
  EXPECT_EQ(cluster.forecast("--nodes=2 --constraint=c"), "3600: n7,n8");
}

// The job that waits for a node of kind `c` has a reservation of one, and keeps nobody off others.
TEST(SlurmFeatures, AReservationOfBackfillIsOnNodesThatHaveThem) {
  const Story story(rule_site(std::string(kConf) + "PriorityType=priority/basic\n"),
                    {{"long", 0, 600, "--nodes=2 --constraint=c --time=10 --exclusive"},
                     {"waits", 1, 60, "--nodes=1 --constraint=c --time=10 --exclusive"},
                     {"other", 2, 60, "--nodes=6 --constraint=a|b --time=60 --exclusive"}});
  EXPECT_EQ(story.nodes("long"), "n7,n8");
  EXPECT_GE(story.start("waits"), 600);
  EXPECT_LT(story.start("other"), 60);
}

// Only the job on the wanted kind of node goes, though the other is of the same class and size.
TEST(SlurmFeatures, PreemptionTakesOnlyWhatStandsOnThem) {
  const Story story(
      rule_site("PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
                "NodeName=n[1-2] CPUs=4 Features=a\nNodeName=n[3-4] CPUs=4 Features=b\n"
                "PartitionName=low Nodes=ALL Default=YES MaxTime=600\n"
                "PartitionName=high Nodes=ALL PriorityTier=2 MaxTime=600\n"),
      {{"first", 0, 900, "--nodes=2 --cpus-per-task=4 --constraint=a"},
       {"second", 0, 900, "--nodes=2 --cpus-per-task=4 --constraint=b"},
       {"victor", 20, 60, "--nodes=1 --cpus-per-task=4 --constraint=b", "high"}});
  EXPECT_EQ(story.nodes("victor"), "n3");
  EXPECT_EQ(story.end_state("second"), "REQUEUED");
  EXPECT_EQ(story.end_state("first"), "COMPLETED");
}

}  // namespace
}  // namespace trainyard::slurm
