// The table of algorithms and the choice from it.
#include "collectives/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace trainyard {
namespace {

std::string chosen(const Collective& collective) { return default_algorithm(collective).name; }

TEST(Registry, HasOneAlgorithmOfANameForAKindAndASentenceForEach) {
  std::set<std::pair<CollectiveKind, std::string>> names;
  for (const AlgorithmEntry& entry : algorithms()) {
    EXPECT_TRUE(names.emplace(entry.kind, entry.name).second) << entry.name;
    EXPECT_EQ(find_algorithm(entry.kind, entry.name), &entry);
    EXPECT_FALSE(std::string(entry.sentence).empty()) << entry.name;
  }
}

TEST(Registry, DoesNotFindANameUnderAnotherKind) {
  EXPECT_EQ(find_algorithm(CollectiveKind::AllToAll, "ring"), nullptr);
  EXPECT_EQ(find_algorithm(CollectiveKind::AllReduce, "no such thing"), nullptr);
}

TEST(DefaultAlgorithm, OfAnAllReduceIsTwoLevelOnlyOverSeveralNodesOfSeveralEqualRanks) {
  const auto all_reduce = [](int ranks, int ranks_per_node) {
    return Collective{CollectiveKind::AllReduce, ranks, mebibytes(64), ranks_per_node};
  };
  EXPECT_EQ(chosen(all_reduce(16, 8)), "two_level");
  EXPECT_EQ(chosen(all_reduce(8, 8)), "ring");   // one node
  EXPECT_EQ(chosen(all_reduce(16, 1)), "ring");  // irregular, or one rank a node
  EXPECT_EQ(chosen(all_reduce(12, 8)), "ring");  // unequal nodes
  EXPECT_EQ(chosen(all_reduce(1, 1)), "ring");
}

TEST(DefaultAlgorithm, OfAllGatherAndReduceScatterIsRingAndOfAllToAllDirect) {
  EXPECT_EQ(chosen({CollectiveKind::AllGather, 16, mebibytes(64), 8}), "ring");
  EXPECT_EQ(chosen({CollectiveKind::ReduceScatter, 16, mebibytes(64), 8}), "ring");
  EXPECT_EQ(chosen({CollectiveKind::AllToAll, 16, mebibytes(64), 8}), "direct");
  EXPECT_EQ(chosen({CollectiveKind::SendRecv, 2, mebibytes(64)}), "send_recv");
}

// With c chunks the chain takes (n-2+c)/c buffers in sequence, the tree ceil(log2 n).
TEST(DefaultAlgorithm, OfABroadcastIsTheOneThatSendsFewerBytesInSequence) {
  const auto broadcast = [](int ranks, Bytes size) {
    return Collective{CollectiveKind::Broadcast, ranks, size};
  };
  EXPECT_EQ(chosen(broadcast(16, mebibytes(32))), "chain");       // (14+64)/64 < 4
  EXPECT_EQ(chosen(broadcast(16, bytes(8))), "binomial");         // 15 > 4
  EXPECT_EQ(chosen(broadcast(512, mebibytes(32))), "chain");      // (510+64)/64 < 9
  EXPECT_EQ(chosen(broadcast(1024, mebibytes(32))), "binomial");  // (1022+64)/64 > 10
  EXPECT_EQ(chosen(broadcast(1024, gibibytes(1))), "chain");      // (1022+2048)/2048 < 10
}

TEST(DefaultAlgorithm, AppliesToWhateverItIsChosenFor) {
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (int ranks_per_node = 1; ranks_per_node <= 8; ++ranks_per_node)
      for (const AlgorithmEntry& entry : algorithms()) {
        const Collective collective{entry.kind, ranks, mebibytes(8), ranks_per_node};
        const AlgorithmEntry& choice = default_algorithm(collective);
        EXPECT_EQ(choice.kind, entry.kind);
        EXPECT_TRUE(choice.applies(collective)) << choice.name;
      }
}

}  // namespace
}  // namespace trainyard
