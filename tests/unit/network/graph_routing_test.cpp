// Routing by distance tables, held against the arithmetic of trees, and on fabrics of other shapes.

#include "network/graph_routing.hpp"

#include "network/tree_routing.hpp"
#include "platforms/xml.hpp"
#include "unit/network/routing_graph.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard {
namespace {

using namespace testing;

const std::vector<RoutingSpec> kPolicies = {
    {RoutingPolicy::Static, 1, 0}, {RoutingPolicy::Ecmp, 4, 11}, {RoutingPolicy::Spray, 1, 0}};

using Shares = std::vector<std::pair<LinkId, double>>;

Shares sorted(const std::vector<LinkShare>& path) {
  Shares shares;
  for (const LinkShare& hop : path) shares.emplace_back(hop.link, hop.share);
  std::sort(shares.begin(), shares.end());
  return shares;
}

void expect_same(const std::vector<LinkShare>& tree, const std::vector<LinkShare>& graph) {
  const Shares a = sorted(tree), b = sorted(graph);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].first, b[i].first);
    ASSERT_NEAR(a[i].second, b[i].second, 1e-12);
  }
}

template <typename Check>
void for_every_pair(const Platform& platform, const Check& check) {
  for (int from = 0; from < platform.gpu_count(); ++from)
    for (int to = 0; to < platform.gpu_count(); ++to) check(GpuId(from), GpuId(to));
}

TEST(GraphRouting, OnTreesIsWhatTheArithmeticSays) {
  for (const PropertyList& example : tree_examples()) {
    const Platform platform = build(example);
    for (const RoutingSpec& spec : kPolicies) {
      const auto tree = make_tree_routing(platform, spec);
      const auto graph = make_graph_routing(platform, spec);
      for_every_pair(platform, [&](GpuId from, GpuId to) {
        const auto a = path_of(*tree, from, to), b = path_of(*graph, from, to);
        ASSERT_EQ(a.size(), b.size());
        ASSERT_NEAR(in_seconds(tree->latency(from, to)), in_seconds(graph->latency(from, to)),
                    1e-15);
        if (spec.policy != RoutingPolicy::Ecmp) expect_same(a, b);
      });
    }
  }
}

// Whether the GPU at a vertex "gpu3" reaches a vertex "nic1" without a described link.
bool beside(const Platform& platform, const std::string& gpu, const std::string& nic) {
  if (gpu.rfind("gpu", 0) != 0 || nic.rfind("nic", 0) != 0) return false;
  const Gpu& data = platform.gpus[static_cast<std::size_t>(std::stoi(gpu.substr(3)))];
  const NicId id(std::stoi(nic.substr(3)));
  const auto& more = data.more_nics;
  return !data.pcie.valid() &&
         (data.nic == id || std::find(more.begin(), more.end(), id) != more.end());
}

// Follows a single path hop by hop.
void expect_walk(const Platform& platform, const std::vector<Edge>& edges, GpuId from, GpuId to,
                 const std::vector<LinkShare>& path) {
  std::set<std::string> seen;
  std::string here = gpu_vertex(from);
  for (const LinkShare& hop : path) {
    const Edge& edge = edges[hop.link.index()];
    ASSERT_EQ(hop.share, 1);
    ASSERT_TRUE(edge.tail == here || beside(platform, here, edge.tail)) << here << edge.tail;
    ASSERT_TRUE(seen.insert(edge.tail).second) << "a loop at " << edge.tail;
    here = edge.head;
  }
  ASSERT_TRUE(here == gpu_vertex(to) || beside(platform, gpu_vertex(to), here)) << here;
}

TEST(GraphRouting, WalksFromGpuToGpuWithoutALoop) {
  for (const PropertyList& example : examples()) {
    const Platform platform = build(example);
    const std::vector<Edge> edges = edges_of(platform);
    for (const RoutingSpec& spec : {kPolicies[0], kPolicies[1]}) {
      const auto routing = make_routing(platform, spec);
      for_every_pair(platform, [&](GpuId from, GpuId to) {
        for (int pair = 0; pair < routing->queue_pairs(); ++pair)
          expect_walk(platform, edges, from, to, path_of(*routing, from, to, pair));
      });
    }
  }
}

TEST(GraphRouting, SpraysWithoutLosingAnything) {
  for (const PropertyList& example : examples()) {
    Platform platform = build(example);
    if (platform.topology == "rail_only") continue;
    platform.pxn = false;  // what enters a GPU and leaves by its NIC would look lost
    const std::vector<Edge> edges = edges_of(platform);
    const auto routing = make_routing(platform, kPolicies[2]);
    for_every_pair(platform, [&](GpuId from, GpuId to) {
      const auto path = path_of(*routing, from, to);
      std::set<LinkId> seen;
      for (const LinkShare& hop : path) ASSERT_TRUE(seen.insert(hop.link).second);
      double out = 0, in = 0;
      for (const auto& [vertex, surplus] : balance(edges, path)) {
        const bool source =
            vertex == gpu_vertex(from) || beside(platform, gpu_vertex(from), vertex);
        const bool target = vertex == gpu_vertex(to) || beside(platform, gpu_vertex(to), vertex);
        if (source && surplus > 0) out += surplus;
        if (target && surplus < 0) in -= surplus;
        if (!source && !target) {
          ASSERT_NEAR(surplus, 0, 1e-12) << vertex;
        }
      }
      ASSERT_NEAR(out, from == to ? 0 : 1, 1e-12);
      ASSERT_NEAR(in, from == to ? 0 : 1, 1e-12);
    });
  }
}

std::string names(const Platform& platform, const std::vector<LinkShare>& path) {
  std::string text;
  for (const LinkShare& hop : path) text += platform.links[hop.link.index()].name + " ";
  return text;
}

TEST(NodePaths, PreferNvlinkThenAGpuBetweenThenPcie) {
  PropertyList list = irregular_site();
  const Platform platform = build(list);
  const auto routing = make_routing(platform, {});
  EXPECT_EQ(names(platform, path_of(*routing, GpuId(0), GpuId(1))), "a0/gpu0/nvlink_gpu1 ");
  // 0-1-3 and 0-2-3 both carry 25 GB/s: the first.
  EXPECT_EQ(names(platform, path_of(*routing, GpuId(0), GpuId(3))),
            "a0/gpu0/nvlink_gpu1 a0/gpu1/nvlink_gpu3 ");
  for (auto& [id, value] : list)
    if (id == "kind.quad.nvlink") value = "0-1,2-3: 50 GB/s, 500 ns";
  const Platform apart = build(list);
  EXPECT_EQ(names(apart, path_of(*make_routing(apart, {}), GpuId(0), GpuId(3))),
            "a0/gpu0/pcie_up a0/pcie0/up a0/pcie1/down a0/gpu3/pcie_down ");
}

TEST(NodePaths, ReachTheNicOverPcie) {
  const Platform platform = build(irregular_site());
  const auto routing = make_routing(platform, {});
  EXPECT_EQ(names(platform, path_of(*routing, GpuId(1), GpuId(4))),
            "a0/gpu1/pcie_up a0/nic0/pcie_down a0/nic0/up a1/nic0/down a1/nic0/pcie_up "
            "a1/gpu0/pcie_down ");
}

Platform shipped(const std::string& name) {
  return load_platform(TRAINYARD_SOURCE_DIR "/platforms/" + name + ".xml");
}

TEST(NodePaths, CrossTheHostToANicBelowAnotherSwitch) {
  const Platform platform = shipped("aws_p3dn_x2");
  EXPECT_EQ(names(platform, path_of(*make_routing(platform, {}), GpuId(5), GpuId(8))),
            "node0/gpu5/pcie_up node0/pcie2/up node0/pcie4/down node0/nic0/pcie_down node0/nic0/up "
            "node1/nic0/down node1/nic0/pcie_up node1/pcie4/up node1/pcie0/down "
            "node1/gpu0/pcie_down ");
}

TEST(NodePaths, ShareThePcieSlotOfTheNicAmongTheGpusBelowItsSwitch) {
  const Platform platform = shipped("aws_p4d_x2");
  const auto routing = make_routing(platform, {});
  const auto one = path_of(*routing, GpuId(2), GpuId(10));
  const auto other = path_of(*routing, GpuId(3), GpuId(11));
  ASSERT_EQ(one.size(), 6u);
  ASSERT_EQ(other.size(), 6u);
  for (const std::size_t own : {0u, 5u}) EXPECT_NE(one[own].link, other[own].link);
  for (const std::size_t shared : {1u, 2u, 3u, 4u}) {
    EXPECT_EQ(one[shared].link, other[shared].link);
  }
}

TEST(NodePaths, NeedOneGpuBetweenAtMostInTheHybridCubeMesh) {
  const Platform platform = shipped("dgx1_v100_x1");
  const auto routing = make_routing(platform, {});
  for_every_pair(platform, [&](GpuId from, GpuId to) {
    if (from == to) return;
    const auto path = path_of(*routing, from, to);
    const bool direct = nvlink_bandwidth(platform, from, to) > Bandwidth();
    ASSERT_EQ(path.size(), direct ? 1u : 2u);
    for (const LinkShare& hop : path)
      ASSERT_EQ(platform.links[hop.link.index()].link_class, LinkClass::NvLink);
  });
}

// What a path crosses of each class.
std::map<LinkClass, double> classes(const Platform& platform, const std::vector<LinkShare>& path) {
  std::map<LinkClass, double> sums;
  for (const LinkShare& hop : path) sums[platform.links[hop.link.index()].link_class] += hop.share;
  return sums;
}

TEST(NvlinkDomain, SpansTheNodesOfARackSoThatNoNicIsCrossed) {
  const Platform platform = build(with(tree("fat_tree", "2", "4,4", "1,4", "1,1"),
                                       with(nvlink_nodes(4, 4), {{"gpus_per_domain", "8"}})));
  const auto routing = make_routing(platform, {});
  for_every_pair(platform, [&](GpuId from, GpuId to) {
    if (from == to) return;
    const bool together = from.value() / 8 == to.value() / 8;
    const auto crossed = classes(platform, path_of(*routing, from, to));
    ASSERT_EQ(crossed.count(LinkClass::NvLink), together ? 1u : 0u);
    ASSERT_EQ(crossed.count(LinkClass::Nic), together ? 0u : 1u);
    ASSERT_EQ(nvlink_bandwidth(platform, from, to) > Bandwidth(), together);
  });
}

TEST(DualPlane, StaysInThePlaneItLeftByAndSpreadsOverBoth) {
  const Platform platform =
      build(with(tree("dual_plane", "2", "4,4", "1,4", "1,1"), single_gpu_nodes(16)));
  const auto planes = [&](const std::vector<LinkShare>& path) {
    std::map<std::string, double> sums;  // by the plane in a switch cable's name
    for (const LinkShare& hop : path) {
      const Link& link = platform.links[hop.link.index()];
      if (link.link_class == LinkClass::Fabric) sums[link.name.substr(0, 6)] += hop.share;
    }
    return sums;
  };
  const auto sprayed = make_routing(platform, kPolicies[2]);
  const auto hashed = make_routing(platform, {RoutingPolicy::Ecmp, 64, 1});
  const auto fixed = make_routing(platform, kPolicies[0]);
  const std::map<std::string, double> both = {{"plane0", 1.0}, {"plane1", 1.0}};  // up and down
  EXPECT_EQ(planes(path_of(*sprayed, GpuId(0), GpuId(9))), both);
  std::map<std::string, int> used, destined;
  for (int pair = 0; pair < 64; ++pair) {
    const auto one = planes(path_of(*hashed, GpuId(0), GpuId(9), pair));
    ASSERT_EQ(one.size(), 1u);
    ++used[one.begin()->first];
  }
  for (int to = 4; to < 16; ++to)
    ++destined[planes(path_of(*fixed, GpuId(0), GpuId(to))).begin()->first];
  EXPECT_EQ(used.size(), 2u);
  EXPECT_GT(used["plane0"], 16);
  EXPECT_EQ(destined["plane0"], destined["plane1"]);
}

TEST(DualPlane, GivesAPortHalfOfTheNic) {
  const Platform platform =
      build(with(tree("dual_plane", "1", "8", "1", "1"), single_gpu_nodes(8)));
  for (const Nic& nic : platform.nics)
    EXPECT_EQ(platform.links[nic.up.index()].bandwidth, gigabytes_per_second(25));
  EXPECT_EQ(platform.nics.size(), 2u * 8);
}

TEST(DualTor, TakesTheLeafThatBothHaveAndTheSpinesOtherwise) {
  const Platform platform =
      build(with(tree("dual_tor", "2", "4,4", "1,4", "1,1"), single_gpu_nodes(16)));
  const auto routing = make_routing(platform, kPolicies[2]);
  EXPECT_EQ(classes(platform, path_of(*routing, GpuId(0), GpuId(3))),
            (std::map<LinkClass, double>{{LinkClass::Nic, 2}}));
  const auto far = path_of(*routing, GpuId(0), GpuId(4));
  EXPECT_EQ(classes(platform, far),
            (std::map<LinkClass, double>{{LinkClass::Nic, 2}, {LinkClass::Fabric, 2}}));
  // Two ports, four spines above either leaf; a spine reaches both leaves of the other pair.
  EXPECT_EQ(far.size(), 2u + 2 * 4 + 4 * 2 + 2);
}

// Two leaves, unconnected.
TEST(GraphRouting, SaysWhichTwoGpusHaveNoPath) {
  const PropertyList list = {{"topology", "graph"},
                             {"kinds", "one"},
                             {"kind.one.gpus", "1"},
                             {"kind.one.nics", "ib0 0: 25 GB/s, 1 us"},
                             {"nodes", "n[0-2]: one"},
                             {"switches", "sw[0-1]: 100 ns"},
                             {"cables", "n[0-1]/ib0 sw0: 25 GB/s, 0 s; n2/ib0 sw1: 25 GB/s, 0 s"}};
  const Platform platform = build(list);
  for (const RoutingSpec& spec : kPolicies) {
    const auto routing = make_routing(platform, spec);
    EXPECT_EQ(path_of(*routing, GpuId(0), GpuId(1)).size(), 2u);
    try {
      path_of(*routing, GpuId(0), GpuId(2));
      FAIL() << "found a path";
    } catch (const InfeasibleError& error) {
      EXPECT_STREQ(error.what(), "platform 'fabric': no path leads from n0/gpu0 to n2/gpu0");
    }
  }
}

}  // namespace
}  // namespace trainyard
