// Every policy on every example of every topology: paths are paths, and shares are shares.

#include "network/routing.hpp"

#include "unit/network/routing_graph.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace trainyard {
namespace {

using namespace testing;

const std::vector<RoutingSpec> kPolicies = {
    {RoutingPolicy::Static, 1, 0}, {RoutingPolicy::Ecmp, 4, 11}, {RoutingPolicy::Spray, 1, 0}};

// Trees whose nodes are GPUs on one NVSwitch with a NIC beside them; the rest is
// graph_routing_test's.
bool is_plain(const Platform& platform) {
  return platform.nvlink_pairs.empty() && platform.pcie_switches.empty() &&
         platform.topology != "rail_only" &&
         (platform.nodes.size() == 1 ||
          platform.gpus.front().domain !=
              platform.gpus[platform.nodes[1].first_gpu.index()].domain);
}

// Calls check(platform, edges, routing, from, to, path) for every ordered pair and queue pair.
template <typename Check>
void for_every_path(const Check& check) {
  for (const PropertyList& example : tree_examples()) {
    Platform platform = build(example);
    if (!is_plain(platform)) continue;
    platform.pxn = false;  // it goes down to a GPU and up again
    const std::vector<Edge> edges = edges_of(platform);
    for (const RoutingSpec& spec : kPolicies) {
      const auto routing = make_routing(platform, spec);
      for (int from = 0; from < platform.gpu_count(); ++from)
        for (int to = 0; to < platform.gpu_count(); ++to)
          for (int pair = 0; pair < routing->queue_pairs(); ++pair)
            check(platform, edges, *routing, GpuId(from), GpuId(to),
                  path_of(*routing, GpuId(from), GpuId(to), pair));
    }
  }
}

TEST(Routing, ConnectsEveryPairAndLosesNothingOnTheWay) {
  for_every_path([](const Platform& platform, const std::vector<Edge>& edges, const Routing&,
                    GpuId from, GpuId to, const std::vector<LinkShare>& path) {
    ASSERT_EQ(path.empty(), from == to);
    for (const auto& [vertex, surplus] : balance(edges, path)) {
      const double expected = vertex == end_vertex(platform, from, to)   ? 1
                              : vertex == end_vertex(platform, to, from) ? -1
                                                                         : 0;
      ASSERT_NEAR(surplus, expected, 1e-12) << vertex;
    }
  });
}

TEST(Routing, SendsAllBytesOnceThroughEachCutUpAndDown) {
  for_every_path([](const Platform&, const std::vector<Edge>& edges, const Routing&, GpuId, GpuId,
                    const std::vector<LinkShare>& path) {
    const auto sums = cuts(edges, path);
    for (const auto& [cut, sum] : sums) {
      ASSERT_NEAR(sum, 1, 1e-12);
      ASSERT_EQ(sums.count({!cut.first, cut.second}), 1u) << "up as far as down";
    }
  });
}

TEST(Routing, GoesUpAndThenDownAndUsesALinkOnce) {
  for_every_path([](const Platform&, const std::vector<Edge>& edges, const Routing&, GpuId, GpuId,
                    const std::vector<LinkShare>& path) {
    std::set<LinkId> seen;
    for (std::size_t i = 0; i < path.size(); ++i) {
      ASSERT_TRUE(seen.insert(path[i].link).second);
      ASSERT_GT(path[i].share, 0);
      if (i == 0) continue;
      const Edge& before = edges[path[i - 1].link.index()];
      const Edge& here = edges[path[i].link.index()];
      ASSERT_TRUE(before.up || !here.up) << "a valley at " << here.tail;
      if (before.up == here.up) {
        ASSERT_LE(here.up ? before.rank : here.rank, here.up ? here.rank : before.rank);
      }
    }
  });
}

TEST(Routing, TurnsAtTheLowestSwitchThatServesBoth) {
  for_every_path([](const Platform& platform, const std::vector<Edge>& edges, const Routing&,
                    GpuId from, GpuId to, const std::vector<LinkShare>& path) {
    const Gpu& source = platform.gpus[from.index()];
    const Gpu& destination = platform.gpus[to.index()];
    if (source.node == destination.node) return;
    const auto a = platform.nics[source.nic.index()].position;
    const auto b = platform.nics[destination.nic.index()].position;
    int lowest = 1000;
    for (const Switch& sw : platform.switches)
      if (sw.first_position <= std::min(a, b) && std::max(a, b) < sw.last_position)
        lowest = std::min(lowest, sw.level);
    int highest = 0;
    for (const LinkShare& hop : path) highest = std::max(highest, edges[hop.link.index()].rank);
    ASSERT_EQ(highest, lowest);
  });
}

TEST(Routing, TakesAsLongAsItsLinksTogether) {
  for_every_path([](const Platform& platform, const std::vector<Edge>&, const Routing& routing,
                    GpuId from, GpuId to, const std::vector<LinkShare>& path) {
    double total = 0;
    for (const LinkShare& hop : path)
      total += hop.share * in_seconds(platform.links[hop.link.index()].latency);
    ASSERT_NEAR(in_seconds(routing.latency(from, to)), total, 1e-15);
  });
}

TEST(Routing, CostsTwoNicsAndASwitchLessThanThereAreLinks) {
  const Platform platform =
      build(with(tree("fat_tree", "3", "2,2,2", "1,2,2", "1,1,1"), single_gpu_nodes(8)));
  const auto routing = make_routing(platform, {});
  const double nic = 1, switching = 0.1;
  const auto latency = [&](int to) {
    return in_microseconds(routing->latency(GpuId(0), GpuId(to)));
  };
  EXPECT_DOUBLE_EQ(latency(1), 2 * nic + 1 * switching);
  EXPECT_DOUBLE_EQ(latency(2), 2 * nic + 3 * switching);
  EXPECT_DOUBLE_EQ(latency(4), 2 * nic + 5 * switching);
  EXPECT_EQ(routing->latency(GpuId(0), GpuId(0)), Seconds());
}

TEST(Routing, StaysInsideTheNodeWhereItCan) {
  const Platform platform = build(examples().front());
  for (const RoutingSpec& spec : kPolicies) {
    const auto path = path_of(*make_routing(platform, spec), GpuId(1), GpuId(2));
    ASSERT_EQ(path.size(), 2u);
    EXPECT_EQ(path[0].link, platform.gpus[1].nvlink_up);
    EXPECT_EQ(path[1].link, platform.gpus[2].nvlink_down);
  }
}

PropertyList two_units(const std::string& pxn) {
  return with(tree("rail_optimized", "2", "4,8", "1,4", "1,1"),
              with(nvlink_nodes(8, 4), {{"nodes_per_unit", "4"}, {"pxn", pxn}}));
}

TEST(Routing, IsOneHopBetweenEqualRanksOfAUnitsRail) {
  const Platform platform = build(two_units("off"));
  const auto routing = make_routing(platform, {});
  for (int rail = 0; rail < 4; ++rail) {
    const auto same_rail = path_of(*routing, GpuId(rail), GpuId(3 * 4 + rail));
    const auto other_rail = path_of(*routing, GpuId(rail), GpuId(3 * 4 + (rail + 1) % 4));
    const auto other_unit = path_of(*routing, GpuId(rail), GpuId(4 * 4 + rail));
    EXPECT_EQ(same_rail.size(), 2u);
    EXPECT_EQ(other_rail.size(), 4u);
    EXPECT_EQ(other_unit.size(), 4u);
  }
}

TEST(Pxn, TakesNvlinkToTheRailAndNoSpineWithinAUnit) {
  const Platform platform = build(two_units("on"));
  for (const RoutingSpec& spec : kPolicies) {
    const auto routing = make_routing(platform, spec);
    const auto path = path_of(*routing, GpuId(1), GpuId(3 * 4 + 2));
    ASSERT_EQ(path.size(), 4u);
    EXPECT_EQ(path[0].link, platform.gpus[1].nvlink_up);
    EXPECT_EQ(path[1].link, platform.gpus[2].nvlink_down);
    EXPECT_EQ(path[2].link, platform.nics[2].up);
    EXPECT_EQ(path[3].link, platform.nics[3 * 4 + 2].down);
    const double nvlink = 0.5, nic = 1, switching = 0.1;
    EXPECT_NEAR(in_microseconds(routing->latency(GpuId(1), GpuId(3 * 4 + 2))),
                2 * nvlink + 2 * nic + switching, 1e-9);
    EXPECT_EQ(path_of(*routing, GpuId(1), GpuId(3 * 4 + 1)).size(), 2u) << "already on the rail";
  }
}

TEST(Pxn, IsTheOnlyWayBetweenRailsWithoutSpines) {
  const auto rails = [](const std::string& pxn) {
    return build(with({{"topology", "rail_only"}, {"switch_latency", "100 ns"}, {"pxn", pxn}},
                      nvlink_nodes(3, 4)));
  };
  const Platform on = rails("on"), off = rails("off");
  for (const RoutingSpec& spec : kPolicies) {
    EXPECT_EQ(path_of(*make_routing(on, spec), GpuId(0), GpuId(9)).size(), 4u);
    const auto routing = make_routing(off, spec);
    EXPECT_EQ(path_of(*routing, GpuId(0), GpuId(8)).size(), 2u);
    const std::string problem =
        "platform 'fabric': no path leads from node0/gpu0 to node2/gpu1: their rails are not "
        "connected and 'pxn' is off";
    try {
      path_of(*routing, GpuId(0), GpuId(9));
      FAIL() << "found a path";
    } catch (const InfeasibleError& error) {
      EXPECT_EQ(error.what(), problem);
    }
    EXPECT_THROW(routing->latency(GpuId(0), GpuId(9)), InfeasibleError);
  }
}

TEST(Pxn, LetsEveryGpuOfASharedRailHelp) {
  const Platform platform =
      build(with(tree("rail_optimized", "2", "2,4", "1,2", "1,1"),
                 with(nvlink_nodes(4, 4), {{"nics_per_node", "2"}, {"nodes_per_unit", "2"}})));
  const auto routing = make_routing(platform, {});
  for (int local : {2, 3}) {
    const auto path = path_of(*routing, GpuId(0), GpuId(4 + local));
    EXPECT_EQ(path[1].link, platform.gpus[static_cast<std::size_t>(local)].nvlink_down);
  }
}

TEST(Routing, GivesTheSameAnswerWhateverWasAskedBefore) {
  const Platform platform =
      build(with(tree("fat_tree", "3", "4,2,3", "1,2,2", "1,2,2"), single_gpu_nodes(24)));
  const auto links = [](const std::vector<LinkShare>& path) {
    std::vector<LinkId> ids;
    ids.reserve(path.size());
    for (const LinkShare& hop : path) ids.push_back(hop.link);
    return ids;
  };
  for (const RoutingSpec& spec : kPolicies) {
    const auto first = make_routing(platform, spec);
    const auto second = make_routing(platform, spec);
    for (int to = 23; to > 0; --to) path_of(*second, GpuId(3), GpuId(to), 1);
    for (int to = 0; to < 24; ++to)
      EXPECT_EQ(links(path_of(*first, GpuId(5), GpuId(to))),
                links(path_of(*second, GpuId(5), GpuId(to))));
  }
}

}  // namespace
}  // namespace trainyard
