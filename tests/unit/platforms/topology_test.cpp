// The invariants of platform.hpp, on every example of every topology.

#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace trainyard {
namespace {

using namespace testing;

int product(const std::vector<int>& factors, std::size_t count) {
  return std::accumulate(factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(count), 1,
                         std::multiplies<>());
}

TEST(Topologies, EveryRegisteredOneHasAnExampleThatBuildsAndSaysItsName) {
  std::set<std::string> built;
  for (const PropertyList& example : examples()) built.insert(build(example).topology);
  for (const TopologyEntry& entry : topologies()) EXPECT_EQ(built.count(entry.name), 1u);
  EXPECT_EQ(built.size(), topologies().size());
}

TEST(Topologies, NumberGpusNodeByNodeAndGiveEachItsPairOfLinks) {
  for (const PropertyList& example : tree_examples()) {
    const Platform platform = build(example);
    int gpu = 0;
    for (const Node& node : platform.nodes) {
      EXPECT_EQ(node.first_gpu, GpuId(gpu));
      gpu += node.gpus;
    }
    EXPECT_EQ(gpu, platform.gpu_count());
    for (const Gpu& each : platform.gpus) {
      EXPECT_EQ(each.nvlink_up.valid(),
                platform.nodes[each.node.index()].gpus > 1 && platform.nvlink_pairs.empty());
      EXPECT_EQ(each.nvlink_down.valid(), each.nvlink_up.valid());
      EXPECT_EQ(each.nic.valid(), !platform.nics.empty());
    }
  }
}

TEST(Topologies, GiveEveryLinkANameOfItsOwnABandwidthAndALatency) {
  for (const PropertyList& example : examples()) {
    const Platform platform = build(example);
    std::set<std::string> names;
    for (const Link& link : platform.links) {
      EXPECT_TRUE(names.insert(link.name).second) << link.name;
      EXPECT_GT(link.bandwidth, Bandwidth()) << link.name;
      EXPECT_GT(link.latency, Seconds()) << link.name;
    }
  }
}

// Child number `child` of a switch, by its first down port to it.
const Switch& child_of(const Platform& platform, const Switch& sw, std::size_t child) {
  const std::size_t port = child * static_cast<std::size_t>(sw.cables_down);
  return platform.switches[sw.down[port].peer.index()];
}

TEST(Topologies, MakeTheWayDownArithmetic) {
  for (const PropertyList& example : tree_examples()) {
    const Platform platform = build(example);
    for (const Switch& sw : platform.switches)
      for (std::int32_t position = sw.first_position; position < sw.last_position; ++position) {
        if (sw.level == 1) break;
        const auto number =
            static_cast<std::size_t>((position - sw.first_position) / sw.child_span);
        const Switch& child = child_of(platform, sw, number);
        EXPECT_LE(child.first_position, position);
        EXPECT_LT(position, child.last_position);
        EXPECT_EQ(child.level, sw.level - 1);
      }
  }
}

TEST(Topologies, PutEveryNicUnderItsLeafAtAPositionOfItsOwn) {
  for (const PropertyList& example : examples()) {
    const Platform platform = build(example);
    std::set<std::pair<SwitchId, std::int32_t>> positions;  // ports of a card share theirs
    for (const Nic& nic : platform.nics) {
      const Switch& leaf = platform.switches[nic.leaf.index()];
      EXPECT_EQ(leaf.level, 1);
      EXPECT_LE(leaf.first_position, nic.position);
      EXPECT_LT(nic.position, leaf.last_position);
      EXPECT_TRUE(positions.insert({nic.leaf, nic.position}).second);
    }
  }
}

TEST(Topologies, PairEveryCableUpWithACableDownBetweenTheSwitchesInItsName) {
  for (const PropertyList& example : tree_examples()) {
    const Platform platform = build(example);
    std::size_t ups = 0, downs = 0;
    for (const Switch& sw : platform.switches) {
      ups += sw.up.size();
      downs += sw.down.size();
      for (const Port& port : sw.up) {
        const Switch& parent = platform.switches[port.peer.index()];
        const std::string name = platform.links[port.out.index()].name;
        EXPECT_EQ(name.rfind(sw.name + "/" + parent.name + "/", 0), 0u) << name;
        EXPECT_EQ(platform.links[port.out.index()].level, sw.level);
        const std::string opposite = name.substr(0, name.size() - 2) + "down";
        const LinkId down = find_link(platform, opposite);
        EXPECT_TRUE(std::any_of(parent.down.begin(), parent.down.end(), [&](const Port& back) {
          return back.out == down;
        })) << opposite;
      }
    }
    EXPECT_EQ(ups, downs);
  }
}

TEST(FatTree, HasTheSwitchesThatItsParentsAndChildrenMultiplyTo) {
  const std::vector<int> down = {4, 2, 3};
  const std::vector<int> up = {1, 2, 2};
  const Platform platform =
      build(with(tree("fat_tree", "3", "4,2,3", "1,2,2", "1,1,1"), single_gpu_nodes(24)));
  for (std::size_t level = 1; level <= 3; ++level) {
    const int subtrees = product(down, 3) / product(down, level);
    const auto switches =
        std::count_if(platform.switches.begin(), platform.switches.end(),
                      [&](const Switch& sw) { return sw.level == static_cast<int>(level); });
    EXPECT_EQ(switches, subtrees * product(up, level)) << "level " << level;
  }
}

TEST(FatTree, HasNoSwitchesWhereNoNodeIs) {
  const Platform platform =
      build(with(tree("fat_tree", "2", "8,4", "1,2", "1,1"), single_gpu_nodes(9)));
  const int leaves = (9 + 8 - 1) / 8;
  EXPECT_EQ(platform.switches.size(), static_cast<std::size_t>(leaves + 2));
  EXPECT_EQ(platform.switches[1].last_position - platform.switches[1].first_position, 9 - 8);
}

TEST(FatTree, ChargesTheSwitchToTheLinkThatLeavesIt) {
  const Platform platform =
      build(with(tree("fat_tree", "2", "4,4", "1,4", "1,1"), single_gpu_nodes(16)));
  const auto latency = [&](const char* name) {
    return in_microseconds(platform.links[find_link(platform, name).index()].latency);
  };
  const double nic = 1, switching = 0.1;
  EXPECT_DOUBLE_EQ(latency("node0/nic0/up"), nic);
  EXPECT_DOUBLE_EQ(latency("leaf0/spine0/up"), switching);
  EXPECT_DOUBLE_EQ(latency("leaf0/spine0/down"), switching);
  EXPECT_DOUBLE_EQ(latency("node0/nic0/down"), switching + nic);
}

TEST(RailOptimized, HangsRailROfAUnitOnALeafOfItsOwn) {
  const int nodes = 5, rails = 2, nodes_per_unit = 2;
  const Platform platform =
      build(with(tree("rail_optimized", "2", "2,8", "1,2", "1,1"),
                 with(nvlink_nodes(nodes, rails), {{"nodes_per_unit", "2"}})));
  auto next_nic = platform.nics.begin();
  for (int node = 0; node < nodes; ++node)
    for (int rail = 0; rail < rails; ++rail) {
      const Nic& nic = *next_nic++;
      const int unit = node / nodes_per_unit;
      EXPECT_EQ(nic.leaf, SwitchId(unit * rails + rail));
      EXPECT_EQ(nic.position, (unit * rails + rail) * nodes_per_unit + node % nodes_per_unit);
    }
}

TEST(Nodes, ShareANicAmongNeighbouringGpus) {
  const Platform platform = build(with(tree("fat_tree", "1", "4", "1", "1"),
                                       with(nvlink_nodes(2, 4), {{"nics_per_node", "2"}})));
  for (int gpu = 0; gpu < 8; ++gpu) {
    const int node = gpu / 4, gpus_per_nic = 4 / 2;
    EXPECT_EQ(platform.gpus[static_cast<std::size_t>(gpu)].nic,
              NicId(node * 2 + gpu % 4 / gpus_per_nic));
  }
}

TEST(Names, FindWhatTheyNameAndNothingElse) {
  const Platform platform = build(examples().front());
  for (int i = 0; i < platform.gpu_count(); ++i)
    EXPECT_EQ(find_gpu(platform, gpu_name(platform, GpuId(i))), GpuId(i));
  EXPECT_EQ(gpu_name(platform, GpuId(5)), "node1/gpu1");
  for (const char* name : {"node1", "node1/gpu", "node1/gpu4", "node1/gpu01", "node2/gpu0", ""})
    EXPECT_FALSE(find_gpu(platform, name).valid()) << name;
  EXPECT_EQ(find_node(platform, "node1"), NodeId(1));
  EXPECT_FALSE(find_node(platform, "node9").valid());
  EXPECT_EQ(find_link(platform, platform.links.back().name).index(), platform.links.size() - 1);
  EXPECT_FALSE(find_link(platform, "leaf0").valid());
}

TEST(Names, TellTheClassesOfLinks) {
  EXPECT_STREQ(to_string(LinkClass::NvLink), "nvlink");
  EXPECT_STREQ(to_string(LinkClass::Nic), "nic");
  EXPECT_STREQ(to_string(LinkClass::Fabric), "fabric");
  EXPECT_STREQ(to_string(LinkClass::Plain), "plain");
}

}  // namespace
}  // namespace trainyard
