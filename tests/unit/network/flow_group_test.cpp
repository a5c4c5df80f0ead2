// Lowering: phases to link loads, with one unit of progress on the bottleneck.

#include "network/flow_group.hpp"

#include "collectives/algorithms.hpp"
#include "network/max_min.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

constexpr double kNic = 50e9, kNvLink = 450e9;  // bytes/s, as examples.hpp has them

std::vector<GpuId> gpus(int count, int first = 0) {
  std::vector<GpuId> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ids.emplace_back(first + i);
  return ids;
}

double load_on(const FlowGroup& group, LinkId link) {
  for (const Demand& demand : group.demands)
    if (demand.link == link) return demand.load;
  return 0;
}

Platform switch_of(int count) {
  return build(
      with({{"topology", "single_switch"}, {"switch_latency", "100 ns"}}, single_gpu_nodes(count)));
}

// Two leaves of n nodes, n uplinks each.
Platform two_leaves(int n) {
  const std::string count = std::to_string(n);
  return build(
      with(tree("fat_tree", "2", count + ",2", "1," + count, "1,1"), single_gpu_nodes(2 * n)));
}

const Nic& nic_of(const Platform& platform, int gpu) {
  return platform.nics[platform.gpus[static_cast<std::size_t>(gpu)].nic.index()];
}

// Rank 0 of each of two nodes sends to the other.
Phase send(Bytes size) { return {std::vector<Edge>{{Rank{0}, Rank{1}, size}}, 1}; }

TEST(Lowering, OfARingCarriesOneByteOnEveryNicPerByteOfProgress) {
  const int n = 8;
  const Bytes size = mebibytes(64);
  const Platform platform = switch_of(n);
  const auto routing = make_routing(platform, {});
  const Phase ring = ring_all_reduce_phases({CollectiveKind::AllReduce, n, size}).front();
  const FlowGroup group = lower({ring}, {gpus(n)}, platform, *routing);

  ASSERT_EQ(group.demands.size(), 2U * n);  // every NIC, up and down
  for (const Demand& demand : group.demands) EXPECT_DOUBLE_EQ(demand.load, 1);
  const double edge = 2.0 * (n - 1) / n * static_cast<double>(size.count());
  EXPECT_DOUBLE_EQ(group.length, edge);
  EXPECT_DOUBLE_EQ(alone_rate(group, nominal_capacities(platform)), kNic);
  // 2(n-1) times NIC, switch, NIC.
  EXPECT_DOUBLE_EQ(in_microseconds(group.latency), 2 * (n - 1) * (1 + 0.1 + 1));
}

// A hierarchical phase: 9 bytes inside the node for each byte between the nodes. NVLink is 9 times
// as fast, so the NIC is as tight. Normalised to the largest transfer, the phase would count a
// ninth on the NIC.
TEST(Lowering, OfAHierarchicalPhaseCountsAFullFlowOnASharedNic) {
  const Platform platform =
      build(with(tree("fat_tree", "1", "8", "1", "1"), with(nvlink_nodes(2, 4), {})));
  const auto routing = make_routing(platform, {});
  const double fat = 0.9 * kNvLink / kNic;
  const Bytes small = mebibytes(10), large(static_cast<std::int64_t>(fat * 10 * 1048576));
  const Phase phase{std::vector<Edge>{{Rank{0}, Rank{1}, large}, {Rank{0}, Rank{4}, small}}, 1};
  const FlowGroup hierarchical = lower({phase}, {gpus(8)}, platform, *routing);
  EXPECT_DOUBLE_EQ(load_on(hierarchical, nic_of(platform, 0).up), 1);
  EXPECT_NEAR(load_on(hierarchical, platform.gpus[0].nvlink_up), fat, 1e-6);  // whole bytes
  EXPECT_DOUBLE_EQ(hierarchical.length, static_cast<double>(small.count()));

  const FlowGroup plain = lower({send(small)}, {{GpuId(0), GpuId(5)}}, platform, *routing);
  MaxMin solver(nominal_capacities(platform), platform);
  const MaxMin::Key a = solver.add(hierarchical), b = solver.add(plain);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(a), kNic / 2);
  EXPECT_DOUBLE_EQ(solver.rate(b), kNic / 2);
}

TEST(Lowering, CountsAFlowForEachQueuePair) {
  const int n = 8, q = 4;
  const Bytes size = mebibytes(64);
  const Platform platform = two_leaves(n);
  const auto routing = make_routing(platform, {RoutingPolicy::Ecmp, q, 3});
  const FlowGroup group = lower({send(size)}, {{GpuId(0), GpuId(n)}}, platform, *routing);
  EXPECT_DOUBLE_EQ(load_on(group, nic_of(platform, 0).up), q);
  EXPECT_DOUBLE_EQ(group.length, static_cast<double>(size.count()) / q);
  double up = 0;
  for (const Port& port : platform.switches[nic_of(platform, 0).leaf.index()].up)
    up += load_on(group, port.out);
  EXPECT_DOUBLE_EQ(up, q);
  EXPECT_DOUBLE_EQ(in_seconds(alone_duration(group, nominal_capacities(platform)) - group.latency),
                   static_cast<double>(size.count()) / kNic);
}

TEST(Lowering, SpreadsASprayedTransferOverEveryUplink) {
  const int n = 8;
  const Bytes size = mebibytes(64);
  const Platform platform = two_leaves(n);
  const auto routing = make_routing(platform, {RoutingPolicy::Spray, 1, 0});
  const FlowGroup group = lower({send(size)}, {{GpuId(0), GpuId(n)}}, platform, *routing);
  EXPECT_DOUBLE_EQ(load_on(group, nic_of(platform, 0).up), 1);
  for (const Port& port : platform.switches[nic_of(platform, 0).leaf.index()].up)
    EXPECT_DOUBLE_EQ(load_on(group, port.out), 1.0 / n);
  EXPECT_DOUBLE_EQ(group.length, static_cast<double>(size.count()));
}

TEST(Lowering, AddsUpCommunicatorsThatAreAlike) {
  const Platform platform = switch_of(4);
  const auto routing = make_routing(platform, {});
  const std::vector<GpuId> pair = {GpuId(0), GpuId(1)}, other = {GpuId(0), GpuId(2)};
  const FlowGroup group = lower({send(mebibytes(1))}, {pair, other}, platform, *routing);
  EXPECT_DOUBLE_EQ(load_on(group, nic_of(platform, 0).up), 2);
  EXPECT_DOUBLE_EQ(load_on(group, nic_of(platform, 1).down), 1);
}

TEST(Lowering, OfAllPairsLoadsEachNicWithItsShareForEveryoneElse) {
  const int nodes = 4, per_node = 4, n = nodes * per_node;
  const Bytes size = mebibytes(64);
  const Platform platform =
      build(with(tree("fat_tree", "1", "16", "1", "1"), nvlink_nodes(nodes, per_node)));
  const auto routing = make_routing(platform, {});
  const FlowGroup group = lower({{all_pairs(size, n), n - 1}}, {gpus(n)}, platform, *routing);
  EXPECT_DOUBLE_EQ(load_on(group, nic_of(platform, 5).up), n - per_node);
  EXPECT_DOUBLE_EQ(load_on(group, platform.gpus[5].nvlink_up), per_node - 1);
  EXPECT_DOUBLE_EQ(group.length, static_cast<double>(size.count()) / n);
}

// Four ranks, `up` into one tree and `down` out of it.
Phase through_switches(int ranks, Bytes up, Bytes down) {
  InSwitch in_switch;
  for (int r = 0; r < ranks; ++r) in_switch.ports.push_back({Rank{r}, Rank{ranks}, up, down});
  return {in_switch, 1};
}

TEST(Lowering, OfATreeInsideANodeLoadsEachNvLinkUpAndDown) {
  const int n = 4;
  const Platform platform = build(with(tree("fat_tree", "1", "8", "1", "1"), nvlink_nodes(2, n)));
  const auto routing = make_routing(platform, {});
  const FlowGroup group =
      lower({through_switches(n, mebibytes(8), mebibytes(2))}, {gpus(n)}, platform, *routing);
  ASSERT_EQ(group.demands.size(), 2U * n);
  EXPECT_DOUBLE_EQ(load_on(group, platform.gpus[1].nvlink_up), 1);
  EXPECT_DOUBLE_EQ(load_on(group, platform.gpus[1].nvlink_down), 0.25);
  EXPECT_NEAR(in_microseconds(group.latency), 0.5 + 0.5, 1e-9);
}

// Each cable of the tree once up and once down, however many ranks are below it: every leaf has
// one cable to the spine that the tree goes through.
TEST(Lowering, OfATreeAcrossNodesCarriesTheDataOnceOnEachCable) {
  const int per_leaf = 4;
  const Platform platform = two_leaves(per_leaf);
  const auto routing = make_routing(platform, {});
  const FlowGroup group = lower({through_switches(2 * per_leaf, mebibytes(8), mebibytes(8))},
                                {gpus(2 * per_leaf)}, platform, *routing);
  int fabric = 0;
  for (const Demand& demand : group.demands) {
    EXPECT_DOUBLE_EQ(demand.load, 1);
    if (platform.links[demand.link.index()].link_class == LinkClass::Fabric) ++fabric;
  }
  EXPECT_EQ(fabric, 2 * 2);
  EXPECT_EQ(group.demands.size(), 2U * 2 * per_leaf + 2 * 2);
}

TEST(Lowering, OfPhasesPipelinedTogetherAddsTheirLatenciesAndTheirLoads) {
  const Platform platform = switch_of(4);
  const auto routing = make_routing(platform, {});
  const Bytes size = mebibytes(1);
  const Phase there = send(size);
  const Phase back{std::vector<Edge>{{Rank{1}, Rank{0}, size}, {Rank{2}, Rank{1}, size}}, 2};
  const FlowGroup group = lower({there, back}, {gpus(4)}, platform, *routing);
  EXPECT_NEAR(in_microseconds(group.latency), 3 * 2.1, 1e-9);
  EXPECT_DOUBLE_EQ(load_on(group, nic_of(platform, 1).down), 2);
  EXPECT_DOUBLE_EQ(load_on(group, nic_of(platform, 0).up), 1);
}

TEST(Lowering, KeepsTheLatencyOfTransfersWithoutBytes) {
  const Platform platform = switch_of(2);
  const auto routing = make_routing(platform, {});
  const FlowGroup group = lower({send(bytes(0))}, {gpus(2)}, platform, *routing);
  EXPECT_TRUE(group.demands.empty());
  EXPECT_DOUBLE_EQ(in_microseconds(alone_duration(group, nominal_capacities(platform))),
                   1 + 0.1 + 1);
}

TEST(Lowering, OnOneGpuCostsNothing) {
  const Platform platform = switch_of(2);
  const auto routing = make_routing(platform, {});
  const FlowGroup group = lower({send(mebibytes(1))}, {{GpuId(0), GpuId(0)}}, platform, *routing);
  EXPECT_EQ(in_seconds(alone_duration(group, nominal_capacities(platform))), 0);
}

// Every pair crosses links 0 .. count-1.
class Line final : public Routing {
public:
  explicit Line(int links) : links_(links) {}
  void append_path(GpuId, GpuId, int, std::vector<LinkShare>& out) const override {
    for (int l = 0; l < links_; ++l) out.push_back({LinkId(l), 1});
  }
  Seconds latency(GpuId, GpuId) const override { return Seconds(0); }

private:
  int links_;
};

TEST(Lowering, BoundsEachFlowOfAnUnsharedLinkByItself) {
  Platform platform;
  platform.gpus.resize(4);
  platform.links.resize(1);
  platform.links[0].bandwidth = bytes_per_second(100);
  platform.links[0].shared = false;
  const Phase phase{std::vector<Edge>{{Rank{0}, Rank{1}, bytes(300)},
                                      {Rank{1}, Rank{2}, bytes(300)},
                                      {Rank{2}, Rank{3}, bytes(600)}},
                    1};
  const FlowGroup group = lower({phase}, {gpus(4)}, platform, Line(1));
  // They move together, so the largest takes the time: 600 B at 100 B/s, not 1200.
  EXPECT_DOUBLE_EQ(in_seconds(alone_duration(group, nominal_capacities(platform))), 6);
}

}  // namespace
}  // namespace trainyard
