// Node and GPU choice, forecasts: the worked examples of the rules, with the rules' own numbers.

#include "rule_world.hpp"
#include "schedulers/slurm/select/gpu_choice.hpp"

#include <gtest/gtest.h>

namespace trainyard::slurm {
namespace {

const char* const kSeven =
    "NodeName=n[1-7] CPUs=4\nPartitionName=p Nodes=ALL Default=YES MaxTime=600\n";

TEST(SlurmPlacement, TheTightestSufficientRunIsTaken) {
  Instant cluster{rule_site(kSeven)};
  cluster.occupy("n5");
  EXPECT_EQ(cluster.try_now("--nodes=2 --exclusive"), "n6,n7");
}

TEST(SlurmPlacement, AHeavierRunComesLaterHoweverTight) {
  Instant cluster{
      rule_site("NodeName=n[1-5] CPUs=4\nNodeName=n[6-7] CPUs=4 Weight=10\n"
                "PartitionName=p Nodes=ALL Default=YES MaxTime=600\n")};
  cluster.occupy("n5");
  EXPECT_EQ(cluster.try_now("--nodes=2 --exclusive"), "n1,n2");
}

TEST(SlurmPlacement, FromARequiredNodeUpwards) {
  Instant cluster{rule_site(kSeven)};
  cluster.occupy("n[6-7]");
  EXPECT_EQ(cluster.try_now("--nodes=3 --nodelist=n3 --exclusive"), "n3,n4,n5");
}

// ---- topology/tree ----

// Leaves of four nodes each below one root, or below pods of two.
Instant tree(int leaves, bool pods = false, const std::string& weights = "") {
  std::string conf = "TopologyPlugin=topology/tree\n", topology;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    const std::string nodes = std::string("n") + char('a' + leaf) + "[1-4]";
    conf += "NodeName=" + nodes + " CPUs=4" + (leaf > 0 ? weights : "") + "\n";
    topology += "SwitchName=s" + std::to_string(leaf) + " Nodes=" + nodes + "\n";
  }
  if (pods)
    topology +=
        "SwitchName=p0 Switches=s[0-1]\nSwitchName=p1 Switches=s[2-3]\n"
        "SwitchName=top Switches=p[0-1]\n";
  else
    topology += "SwitchName=top Switches=s[0-" + std::to_string(leaves - 1) + "]\n";
  return Instant(rule_site(conf + "PartitionName=p Nodes=ALL Default=YES MaxTime=600\n", kSlurm2205,
                           topology));
}

// Leaves with 4, 2 and 3 nodes free.
TEST(SlurmTree, TheLeafThatLeavesLeastIsTaken) {
  Instant two = tree(3), four = tree(3), six = tree(3);
  for (Instant* cluster : {&two, &four, &six}) cluster->occupy("nb[3-4],nc4");
  EXPECT_EQ(two.try_now("--nodes=2 --exclusive"), "nb1,nb2");
  EXPECT_EQ(four.try_now("--nodes=4 --exclusive"), "na1,na2,na3,na4");
  EXPECT_EQ(six.try_now("--nodes=6 --exclusive"), "na1,na2,na3,na4,nb1,nb2");
}

// Pods with 3 and 0, 2 and 2 nodes free: only the second holds four.
TEST(SlurmTree, ThePodThatHoldsTheJobIsTakenWhole) {
  Instant cluster = tree(4, true);
  cluster.occupy("na4,nb[1-4],nc[3-4],nd[3-4]");
  EXPECT_EQ(cluster.try_now("--nodes=4 --exclusive"), "nc1,nc2,nd1,nd2");
}

// One light node free, four heavy ones: the light one is in the job.
TEST(SlurmTree, WeightBeatsTopology) {
  Instant cluster = tree(2, false, " Weight=2");
  cluster.occupy("na[2-4]");
  EXPECT_EQ(cluster.try_now("--nodes=2 --exclusive"), "na1,nb1");
}

TEST(SlurmTree, AJobNeverSpansIslands) {
  Instant cluster(
      rule_site("TopologyPlugin=topology/tree\nNodeName=n[1-4] CPUs=4\n"
                "PartitionName=p Nodes=ALL Default=YES MaxTime=600\n",
                kSlurm2205, "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n"));
  EXPECT_EQ(cluster.submit_refusal("--nodes=3"), "BadConstraints");
}

// ---- GPUs inside a node ----

std::uint64_t two_gpus(const CoresBySocket& cores, const SlurmVersion& version) {
  SlurmNode node;
  node.sockets = 2, node.cores_per_socket = 8;
  node.gpu_socket = {0, 0, 0, 0, 1, 1, 1, 1};
  return gpus_of_node(node, 0, cores, 2, gpu_spread(version));
}

TEST(SlurmGpus, TheyAreBesideTheChosenCores) { EXPECT_EQ(two_gpus({0, 8}, kSlurm2205), 0b110000U); }

TEST(SlurmGpus, TheySpreadOverSocketsAsTheReleaseDoes) {
  EXPECT_EQ(two_gpus({6, 2}, kSlurm2205), 0b10001U);
  EXPECT_EQ(two_gpus({6, 2}, {24, 5}), 0b11U);
}

// ---- When a job would start ----

// Nodes that end at the given seconds.
std::string seconds_until(const std::vector<int>& ends, const std::string& options,
                          const SlurmVersion& version) {
  Instant cluster(
      rule_site("NodeName=n[1-3] CPUs=4\nPartitionName=p Nodes=ALL MaxTime=600\n", version));
  for (std::size_t i = 0; i < ends.size(); ++i) {
    cluster.occupy("n" + std::to_string(i + 1));
    JobRecord& record = cluster.state().job(cluster.state().job_count() - 1);
    record.end = cluster.state().now + ends[i];
  }
  const std::string found = cluster.forecast(options);
  return found.substr(0, found.find(':'));
}

// The batch of ends ends with the second; since 25.11 only ends on the chosen nodes count.
TEST(SlurmForecast, ABatchOfEndsDelaysOlderReleases) {
  EXPECT_EQ(seconds_until({100, 125, 9999}, "--nodes=1 --exclusive", kSlurm2205), "125");
  EXPECT_EQ(seconds_until({100, 125, 9999}, "--nodes=1 --exclusive", {25, 11}), "100");
  EXPECT_EQ(seconds_until({100, 200, 230}, "--nodes=2 --exclusive", kSlurm2205), "230");
  EXPECT_EQ(seconds_until({100, 200, 230}, "--nodes=2 --exclusive", {25, 11}), "200");
}

}  // namespace
}  // namespace trainyard::slurm
