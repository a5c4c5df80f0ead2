// Collectives on an idle fabric against their closed forms.

#include "sim/physics_fabrics.hpp"
#include "support/collective_timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

using namespace testing;

// The forms are exact; 0.1 % leaves room for chunks of whole bytes and SimGrid's rounding only.
constexpr double kTolerance = 1e-3;

void expect_time(const Fabric& fabric, const std::vector<CollectiveJob>& jobs, double expected) {
  const double measured = time_in_child(fabric, NetworkModel::Flow, jobs).last();
  EXPECT_NEAR(measured, expected, expected * kTolerance);
}

const Bytes kSizes[] = {mebibytes(1), mebibytes(64), gibibytes(1)};

TEST(ClosedForm, RingAllReduceTakesTwoPassesOfTheBuffer) {
  for (const int n : {2, 8, 64})
    for (const Bytes size : kSizes)
      expect_time({one_switch(n)}, {job(CollectiveKind::AllReduce, "ring", n, size)},
                  2 * (n - 1) * kOneSwitch + 2.0 * (n - 1) / n * count(size) / kNic);
}

TEST(ClosedForm, RingAllGatherAndReduceScatterTakeOnePass) {
  for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter})
    for (const int n : {2, 8, 64})
      for (const Bytes size : kSizes)
        expect_time({one_switch(n)}, {job(kind, "ring", n, size)},
                    (n - 1) * kOneSwitch + (n - 1.0) / n * count(size) / kNic);
}

TEST(ClosedForm, PairwiseAllToAllTakesARoundForEveryPartner) {
  for (const int n : {2, 8, 64})
    for (const Bytes size : kSizes)
      expect_time({one_switch(n)}, {job(CollectiveKind::AllToAll, "pairwise", n, size)},
                  (n - 1) * kOneSwitch + (n - 1.0) / n * count(size) / kNic);
}

TEST(ClosedForm, DirectAllToAllPaysItsLatencyOnce) {
  const int n = 64;
  for (const Bytes size : kSizes)
    expect_time({one_switch(n)}, {job(CollectiveKind::AllToAll, "direct", n, size)},
                kOneSwitch + (n - 1.0) / n * count(size) / kNic);
}

TEST(ClosedForm, BinomialBroadcastSendsTheBufferOnceForEveryDoubling) {
  for (const int n : {2, 5, 8, 64})
    for (const Bytes size : kSizes)
      expect_time({one_switch(n)}, {job(CollectiveKind::Broadcast, "binomial", n, size)},
                  std::ceil(std::log2(n)) * (kOneSwitch + count(size) / kNic));
}

TEST(ClosedForm, PipelinedChainBroadcastFillsAndDrainsTheChain) {
  for (const int n : {2, 8, 64})
    for (const Bytes size : kSizes) {
      const double c = std::max(count(size) / count(kibibytes(512)), 1.0);  // its rule
      expect_time({one_switch(n)}, {job(CollectiveKind::Broadcast, "chain", n, size)},
                  (n - 1) * kOneSwitch + (n - 2 + c) * count(size) / (c * kNic));
    }
}

TEST(ClosedForm, TwoLevelAllReduceTakesTheSumOfItsStagesAndNoLessThanTheLongest) {
  const int g = 8, k = 4, n = g * k;
  const Platform platform = nvlink_nodes_on_a_switch(k, g);
  for (const Bytes size : kSizes) {
    const double inside = 2.0 * (g - 1) / g * count(size) / kNvLink;
    const double across = 2.0 * (k - 1) / k * count(size) / (g * kNic);
    const double latency = 2 * (g - 1) * kInsideNode + 2 * (k - 1) * kOneSwitch;
    CollectiveJob all_reduce = job(CollectiveKind::AllReduce, "two_level", n, size);
    all_reduce.collective.ranks_per_node = g;
    expect_time({platform}, {all_reduce}, latency + inside + across);
    const double measured = time_in_child({platform}, NetworkModel::Flow, {all_reduce}).last();
    EXPECT_GE(measured, std::max(inside, across));
    EXPECT_LE(measured, (latency + inside + across) * (1 + kTolerance));
  }
}

// NCCL's busbw of a hierarchical all-reduce times (k-1)/(n-1) is what one NIC carries each way.
TEST(ClosedForm, BehindATwoLevelAllReduceANicCarriesItsShareOfTheBusBandwidth) {
  const int g = 8, k = 4, n = g * k;
  const Platform platform = nvlink_nodes_on_a_switch(k, g);
  const Bytes size = gibibytes(1);
  CollectiveJob all_reduce = job(CollectiveKind::AllReduce, "two_level", n, size);
  all_reduce.collective.ranks_per_node = g;
  const Timed timed = time_in_child({platform}, NetworkModel::Flow, {all_reduce});
  const double busbw = count(size) / timed.last() * 2.0 * (n - 1) / n;
  const double nic_rate = timed.link_bytes[platform.nics[3].up.index()] / timed.last();
  EXPECT_NEAR(nic_rate, busbw * (k - 1) / (n - 1), nic_rate * kTolerance);
}

TEST(ClosedForm, AllToAllOverNodesWithANicForEachGpuIsBoundByTheNic) {
  const int g = 8;
  for (const int k : {2, 4, 8})
    for (const Bytes size : kSizes) {
      const int n = g * k;
      expect_time({nvlink_nodes_on_a_switch(k, g)},
                  {job(CollectiveKind::AllToAll, "direct", n, size)},
                  kOneSwitch + count(size) * (k - 1) / k / kNic);
    }
}

// Every host sends to the one at its place below the next leaf.
TEST(ClosedForm, TrafficThatLeavesAnOversubscribedLeafGetsOneOthOfTheNic) {
  const int leaves = 4, per_leaf = 8;
  const Bytes size = mebibytes(256);
  for (const int o : {1, 2, 4, 8}) {
    std::vector<CollectiveJob> jobs;
    jobs.reserve(std::size_t{leaves} * per_leaf);
    for (int from = 0; from < leaves * per_leaf; ++from)
      jobs.push_back(send(GpuId(from), GpuId((from + per_leaf) % (leaves * per_leaf)), size));
    expect_time({leaf_and_spine(leaves, per_leaf, per_leaf / o)}, jobs,
                kThroughSpine + count(size) / (kNic / o));
  }
}

// Leaves of m of the n hosts: of what a host sends, (n-m)/(n-1) leaves its leaf.
TEST(ClosedForm, UniformAllToAllOnAnOversubscribedTreeGetsTheNicOrItsShareOfTheUplinks) {
  const int leaves = 4, m = 8, n = leaves * m;
  const Bytes size = mebibytes(256);
  for (const int o : {1, 2, 4, 8}) {
    const double rate = std::min(kNic, kNic / o * (n - 1) / (n - m));
    expect_time({leaf_and_spine(leaves, m, m / o)},
                {job(CollectiveKind::AllToAll, "direct", n, size)},
                kThroughSpine + count(size) * (n - 1) / n / rate);
  }
}

// A pass round the ring of leaves: each leaf has one edge out, however few its uplinks are.
TEST(ClosedForm, ARingInRankOrderDoesNotFeelOversubscription) {
  const int n = 32;
  const Bytes size = mebibytes(64);
  expect_time({leaf_and_spine(4, 8, 1)}, {job(CollectiveKind::AllGather, "ring", n, size)},
              (n - 1) * kThroughSpine + (n - 1.0) / n * count(size) / kNic);
}

TEST(ClosedForm, TwoRingsOnTheSameNicsTakeTwiceAsLong) {
  const int n = 8;
  const Bytes size = mebibytes(64);
  const CollectiveJob ring = job(CollectiveKind::AllReduce, "ring", n, size);
  expect_time({one_switch(n)}, {ring, ring},
              2 * (n - 1) * kOneSwitch + 2 * (2.0 * (n - 1) / n * count(size) / kNic));
}

}  // namespace
}  // namespace trainyard
