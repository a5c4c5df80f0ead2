// topology.yaml, and what is said to be unverified.

#include "base/error.hpp"
#include "rule_world.hpp"
#include "schedulers/slurm/site/read_site.hpp"
#include "schedulers/slurm/site/unverified.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard::slurm {
namespace {

constexpr SlurmVersion kNewest{26, 11};

SlurmSite yaml_site(const std::string& yaml, SlurmVersion version = kNewest) {
  SlurmSite site =
      rule_site("NodeName=n[1-8] CPUs=4\nPartitionName=p Nodes=ALL MaxTime=60\n", version);
  read_topology_yaml(site, "topology.yaml", yaml);
  return site;
}

std::string yaml_problem(const std::string& yaml, SlurmVersion version = kNewest) {
  try {
    yaml_site(yaml, version);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const char* const kYaml =
    "---\n"
    "- topology: other\n"
    "  flat: true\n"
    "- topology: main\n"
    "  cluster_default: true\n"
    "  block:\n"
    "    block_sizes: [4, 8]\n"
    "    blocks:\n"
    "      - block: b1\n"
    "        nodes: n[1-4]\n"
    "      - block: b2\n"
    "        nodes: n[5-8]\n";

TEST(TopologyYaml, TheClustersDefaultIsRead) {
  const SlurmSite site = yaml_site(kYaml);
  ASSERT_EQ(site.blocks.count(), 2);
  EXPECT_EQ(site.blocks.base_size, 4);
  EXPECT_EQ(site.blocks.levels, (std::vector<int>{0, 1}));
  EXPECT_TRUE(site.blocks.nodes(1).has(4));
  ASSERT_EQ(site.warnings.size(), 1U);
  EXPECT_NE(site.warnings.front().find("other"), std::string::npos);
}

TEST(TopologyYaml, ATreeIsReadAsTopologyConfWouldBe) {
  const SlurmSite site = yaml_site(
      "- topology: t\n  tree:\n    switches:\n      - switch: a\n        nodes: n[1-4]\n"
      "      - switch: b\n        nodes: n[5-8]\n      - switch: top\n        children: a,b\n");
  ASSERT_EQ(site.switches.size(), 3U);
  EXPECT_EQ(site.switches[2].level, 1);
  EXPECT_EQ(site.switches[2].nodes.count(), 8);
}

TEST(TopologyYaml, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_NE(yaml_problem(kYaml, {24, 11}).find("came with Slurm 25.05"), std::string::npos);
  EXPECT_NE(yaml_problem("- topology: r\n  ring:\n    rings: []\n").find("not modelled"),
            std::string::npos);
  EXPECT_NE(yaml_problem("- topology: t\n  tree:\n    switchs: []\n").find("topology.yaml:3"),
            std::string::npos);
  EXPECT_NE(yaml_problem("- topology: t\n  tree:\n    switches:\n      - switch: a\n        nodes: "
                         "n[1-4]\n      - switch: b\n        children: c\n")
                .find("topology.yaml:6"),
            std::string::npos);
}

TEST(Unverified, IsWhatNoRecordedDecisionCovers) {
  const SlurmSite plain = rule_site("NodeName=n1\nPartitionName=p Nodes=ALL\n");
  EXPECT_TRUE(unverified_rules(plain, {rule_job(plain, "A", "--nodes=1")}).empty());
  const SlurmSite site = yaml_site(kYaml);
  const std::vector<std::string> found =
      unverified_rules(site, {rule_job(site, "A", "--nodes=4 --segment=2")});
  const auto has = [&](const char* what) {
    return std::any_of(found.begin(), found.end(), [&](const std::string& each) {
      return each.find(what) != std::string::npos;
    });
  };
  EXPECT_TRUE(has("topology/block"));
  EXPECT_TRUE(has("--segment"));
  EXPECT_TRUE(has("after 22.05"));
}

}  // namespace
}  // namespace trainyard::slurm
