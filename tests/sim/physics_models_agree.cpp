// Coupled flows against the same collectives played transfer by transfer under SimGrid's own
// max-min solver, on fabrics whose paths have equal latency.
//
// Where they do not agree: physics_models_differ.cpp.

#include "collectives/rings/rings.hpp"
#include "sim/physics_models.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace trainyard {
namespace {

using namespace testing;

// Both are max-min fair and must agree to rounding; 0.1 % is what the user is promised.
constexpr double kTime = 1e-3;
constexpr double kBytes = 1e-9;  // sums of the same whole bytes

void expect_agreement(const Fabric& fabric, const std::vector<CollectiveJob>& jobs) {
  const Difference off = difference(fabric, jobs);
  EXPECT_LE(std::abs(off.time), kTime);
  EXPECT_LE(off.bytes, kBytes);
}

// The same again, a little later and twice: it competes, alone for a while at the end.
CollectiveJob competitor(CollectiveJob job) {
  job.start = microseconds(700);
  job.repetitions = 2;
  return job;
}

constexpr int kRanks[] = {8, 16, 64};
const Bytes kSizes[] = {mebibytes(64), mebibytes(256)};

TEST(ModelsAgree, OnASwitchIdleAndWithACompetitorOnTheSameNics) {
  for (const Played& played : kPlayed)
    for (const int n : kRanks)
      for (const Bytes size : kSizes) {
        SCOPED_TRACE(std::string(to_string(played.kind)) + " of " + std::to_string(n));
        const CollectiveJob first = job(played.kind, played.algorithm, n, size);
        expect_agreement({one_switch(n)}, {first});
        expect_agreement({one_switch(n)}, {first, competitor(first)});
      }
}

// Two jobs on a tree of four leaves: each leaf has the hosts of the first, then those of the
// second. Static routing spreads both alike over the uplinks: with all of them each job has its
// own, with a quarter each uplink carries both.
std::vector<CollectiveJob> neighbours(const Played& played, int n, Bytes size) {
  const int leaves = 4, per_leaf = 2 * n / leaves;
  CollectiveJob first = job(played.kind, played.algorithm, n, size);
  CollectiveJob second = competitor(first);
  first.gpus = across_leaves(n, {leaves, per_leaf, 0, 1});
  second.gpus = across_leaves(n, {leaves, per_leaf, per_leaf / 2, 1});
  return {first, second};
}

TEST(ModelsAgree, OnATreeWithStaticRoutingIdleAndWithACompetitorOnTheUplinks) {
  for (const Played& played : kPlayed)
    for (const int n : kRanks)
      for (const int oversubscription : {1, 4}) {
        SCOPED_TRACE(std::string(to_string(played.kind)) + " of " + std::to_string(n) + " on " +
                     std::to_string(oversubscription) + ":1");
        const Fabric fabric{leaf_and_spine(4, n / 2, n / 2 / oversubscription)};
        for (const Bytes size : kSizes) {
          const std::vector<CollectiveJob> jobs = neighbours(played, n, size);
          expect_agreement(fabric, {jobs[0]});
          expect_agreement(fabric, jobs);
        }
      }
}

TEST(ModelsAgree, OnATreeWithHashCollisionsAsLongAsAJobIsAlone) {
  for (const Played& played : kPlayed)
    for (const int n : kRanks)
      for (const int oversubscription : {1, 2})
        for (int seed = 0; seed < 5; ++seed) {
          SCOPED_TRACE(std::string(to_string(played.kind)) + " of " + std::to_string(n) + " seed " +
                       std::to_string(seed));
          const Fabric fabric{leaf_and_spine(4, n / 2, n / 2 / oversubscription), ecmp(seed)};
          expect_agreement(fabric, {neighbours(played, n, mebibytes(64))[0]});
        }
}

// Each entry of the registry that is not named in `different` (see physics_models_differ.cpp) and
// does not need switches that add up, which the reference has not.
void expect_agreement_of_all(const Platform& platform, int ranks, int per_node,
                             const std::set<std::string>& different) {
  for (const AlgorithmEntry& entry : algorithms()) {
    CollectiveJob each = entry.kind == CollectiveKind::SendRecv
                             ? send(GpuId(0), GpuId(per_node), mebibytes(64))
                             : job(entry.kind, entry.name, ranks, mebibytes(64));
    each.collective.ranks_per_node = per_node;
    if (different.count(entry.name) != 0 || !entry.applies(each.collective)) continue;
    if (entry.expand(each.collective).switches > 0) continue;
    SCOPED_TRACE(std::string(to_string(entry.kind)) + " " + entry.name);
    expect_agreement({platform}, {each});
  }
}

TEST(ModelsAgree, OnEveryOtherAlgorithmThereIsOnIdleNodes) {
  expect_agreement_of_all(one_switch(16), 16, 1, {"double_binary_tree"});
  expect_agreement_of_all(nvlink_nodes_on_a_switch(4, 4), 16, 4,
                          {"double_binary_tree", "chain", "pairwise", "bruck", "dissemination"});
}

// 256 chunks a tree: what is left is the time in which the trees fill and drain, during which the
// flow model keeps all edges busy.
TEST(ModelsAgree, OnTreesStreamedInManyChunksToFivePercent) {
  CollectiveJob tree = job(CollectiveKind::AllReduce, "double_binary_tree", 16, mebibytes(256));
  const Difference flat = difference({one_switch(16)}, {tree});
  EXPECT_LE(std::abs(flat.time), 0.05);
  EXPECT_LE(flat.bytes, kBytes);
  tree.collective.size = gibibytes(1);
  tree.collective.ranks_per_node = 4;
  const Difference nodes = difference({nvlink_nodes_on_a_switch(4, 4)}, {tree});
  EXPECT_LE(std::abs(nodes.time), 0.05);
  EXPECT_LE(nodes.bytes, kBytes);
  RecordProperty("flat", std::to_string(flat.time));
  RecordProperty("nodes", std::to_string(nodes.time));
}

// Rings of several channels over nodes, as NCCL's rotate over the NICs.
TEST(ModelsAgree, OnARingWithAChannelForEachNic) {
  CollectiveJob ring = job(CollectiveKind::AllReduce, "ring", 16, mebibytes(64));
  ring.collective.ranks_per_node = 4;
  ring.collective.rings =
      std::make_shared<const std::vector<Ring>>(rotated_rings(16, 4, /*channels=*/4));
  expect_agreement({nvlink_nodes_on_a_switch(4, 4)}, {ring});
}

// What is left of a job that goes in the middle must not be felt, nor told of.
TEST(ModelsAgree, OnAJobThatIsWithdrawnInTheMiddle) {
  const int n = 8;
  const Bytes size = mebibytes(64);
  const double alone = 2.0 * (n - 1) / n * count(size) / kNic, latency = 2 * (n - 1) * kOneSwitch;
  const double withdrawn_at = latency + alone / 2;
  for (const NetworkModel model : {NetworkModel::Flow, NetworkModel::Simgrid}) {
    CollectiveJob ring = job(CollectiveKind::AllReduce, "ring", n, size);
    CollectiveJob victim = ring;
    victim.withdrawn_at = seconds(withdrawn_at);
    const Timed timed = time_in_child({one_switch(n)}, model, {ring, victim});
    // Half the rate for alone/2, then all of it.
    const double expected = withdrawn_at + (alone - alone / 2 / 2);
    EXPECT_NEAR(timed.ends[0], expected, expected * kTime);
    EXPECT_EQ(timed.ends[1], 0);  // never told
  }
}

// 3 bytes over 8 ranks: most chunks are empty, and are sent all the same.
TEST(ModelsAgree, OnChunksWithoutBytes) {
  const int n = 8;
  for (const NetworkModel model : {NetworkModel::Flow, NetworkModel::Simgrid})
    for (const int size : {0, 3}) {
      const Timed timed = time_in_child({one_switch(n)}, model,
                                        {job(CollectiveKind::AllReduce, "ring", n, bytes(size))});
      EXPECT_NEAR(timed.ends[0], 2 * (n - 1) * kOneSwitch, 1e-9);  // 3 bytes take 0.1 ns
    }
}

}  // namespace
}  // namespace trainyard
