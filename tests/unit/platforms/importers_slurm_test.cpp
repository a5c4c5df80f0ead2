// Slurm's topology.conf: our own files, Slurm's test suite, the simulator of Buffalo, topograph.
#include "platforms/importers/slurm_topology.hpp"
#include "site_files.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using ::testing::ElementsAre;
using testing::refusal;

SlurmTopology parse(const std::string& text) { return parse_slurm_topology("t.conf", text); }

std::string problem(const std::string& text) {
  return refusal([&] { parse(text); });
}

TEST(SlurmTopology, ATreeHasItsNodesChildrenAndLevels) {
  const SlurmTopology tree = parse(testing::site_text("tree.conf"));
  ASSERT_EQ(tree.switches.size(), 4U);
  EXPECT_THAT(tree.switches[0].nodes, ElementsAre("n01", "n02", "login1"));
  EXPECT_THAT(tree.switches[1].nodes, ElementsAre("n03", "n04", "n05"));  // a continued line
  EXPECT_THAT(tree.switches[2].children, ElementsAre(0, 1));
  EXPECT_THAT(tree.switches[3].children, ElementsAre(1, 0));  // a second parent
  EXPECT_EQ(tree.switches[0].level, 1);
  EXPECT_EQ(tree.switches[3].level, 2);
  EXPECT_THAT(tree.notes, ElementsAre("LinkSpeed on 1 line: arbitrary to Slurm, ignored"));
}

TEST(SlurmTopology, BlocksHaveASwitchEachAndOneAboveThem) {
  const SlurmTopology blocks = parse(testing::site_text("blocks.conf"));
  EXPECT_THAT(blocks.block_sizes, ElementsAre(4, 8));
  const Fabric fabric = to_fabric(blocks);
  EXPECT_EQ(fabric.hosts.size(), 8U);
  EXPECT_EQ(fabric.switches.size(), 2U + 1);
  EXPECT_EQ(fabric.cables.size(), 2U);
  EXPECT_EQ(fabric.switches.back().name, "top");
  EXPECT_FALSE(fabric.cables_listed);
}

TEST(SlurmTopology, AFabricHasACableForEveryParentAndChild) {
  const Fabric fabric = to_fabric(parse(testing::site_text("tree.conf")));
  EXPECT_EQ(fabric.hosts.size(), 3U + 3);
  EXPECT_EQ(fabric.cables.size(), 2U * 2);
}

TEST(SlurmTopology, MistakesAreNamedWhereTheyStand) {
  EXPECT_EQ(problem(""), "t.conf: names no switch and no block");
  EXPECT_EQ(problem("SwitchName=a Node=n1\n"),
            "t.conf:1:14: unknown key 'Node'; did you mean 'Nodes'?");
  EXPECT_EQ(problem("Nodes=n1\n"),
            "t.conf:1:1: a line begins with SwitchName, BlockName or BlockSizes, not 'Nodes'");
  EXPECT_EQ(problem("SwitchName=a Nodes=n[1-\n"), "t.conf:1:21: 'Nodes' has a '[' without its ']'");
  EXPECT_EQ(problem("SwitchName=a\n"), "t.conf:1:1: switch 'a' needs Nodes or Switches");
  EXPECT_EQ(problem("SwitchName=a Nodes=n1 Switches=b\n"),
            "t.conf:1:1: switch 'a' needs Nodes or Switches, not both");
  EXPECT_EQ(problem("SwitchName=a Nodes=\n"), "t.conf:1:20: 'Nodes' has no value");
  EXPECT_EQ(problem("SwitchName=a Nodes=n1 Nodes=n2\n"), "t.conf:1:23: 'Nodes' is given twice");
  EXPECT_EQ(problem("SwitchName=a Nodes n1\n"), "t.conf:1:20: expected '=', found 'n1'");
  EXPECT_EQ(problem("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n"),
            "t.conf:2:12: switch 'a' stands a second time, first at line 1");
  EXPECT_EQ(problem("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[1-2]\n"),
            "t.conf:2:20: node 'n1' stands a second time, first at line 1");
  EXPECT_EQ(problem("SwitchName=leaf1 Nodes=n1\nSwitchName=top Switches=laef1\n"),
            "t.conf:2:25: no switch 'laef1' in this file; did you mean 'leaf1'?");
  EXPECT_EQ(problem("SwitchName=a Switches=b\nSwitchName=b Switches=a\n"),
            "t.conf:1:12: switch 'a' stands below itself");
  EXPECT_EQ(problem("BlockName=b Nodes=n1\nSwitchName=a Nodes=n2\n"),
            "t.conf:1:11: a file holds a tree (SwitchName) or blocks, not both");
  EXPECT_EQ(problem("BlockName=b Nodes=n1\nBlockSizes=4,12\n"),
            "t.conf:2:12: block size 12 is no power of two times the first, 4");
  EXPECT_EQ(problem("RingName=r Nodes=n1\n"),
            "t.conf:1:1: rings (topology/ring) are not modelled; trees and blocks are");
  EXPECT_EQ(problem("SwitchName=a Nodes=n1\x01\n"),
            "t.conf:1:22: holds the control character \\x01");
}

TEST(SlurmTopology, AChainOfAHundredThousandSwitchesIsRefusedAndNotRecursedInto) {
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "SwitchName=s" + std::to_string(i) + " Switches=s" + std::to_string(i + 1) + "\n";
  text += "SwitchName=s100000 Nodes=n\n";
  EXPECT_EQ(problem(text), "t.conf:66:12: more than 64 levels of switches");
}

// What the files' sources state: Slurm's own slurm.conf beside them, or the ranges they spell out.
struct RealFile {
  const char* name;
  std::size_t hosts, switches;
};
const RealFile kRealFiles[] = {
    {"slurm-test133_1.topology.conf", 19999 - 10000 + 1, 1 + 2 + 26 + 500},
    {"slurm-test133_3.topology.conf", 10399 - 10000 + 1, 1 + 2 + 20},
    {"slurm-check_block.topology.conf", 8 * 4, 8 + 1},
    {"slurm-unit-backfill.topology.conf", 8 * 4, 8 + 1},
    {"topograph.expected.slinky-dra-block.conf", 12 * 8, 12 + 1},
    {"ubccr-sim.medium_cluster_topology.conf", 100 + 2 + 100 + 8 + 24, 4},
    {"ubccr-sim.micro_cluster_topology.conf", 4 + 4 + 2, 4},
};

TEST(RealSlurmTopology, HasAsManyHostsAndSwitchesAsItsSourceStates) {
  for (const RealFile& real : kRealFiles) {
    const std::string file = testing::reference_path(std::string("slurm/") + real.name);
    TRAINYARD_NEEDS(file);
    const Fabric fabric = to_fabric(parse_slurm_topology(file, read_file(file)));
    EXPECT_EQ(fabric.hosts.size(), real.hosts) << file;
    EXPECT_EQ(fabric.switches.size(), real.switches) << file;
    EXPECT_EQ(fabric.cables.size(), real.switches - 1) << file;  // all are trees
  }
}

}  // namespace

}  // namespace trainyard
