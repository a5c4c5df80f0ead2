// How buffers are cut.
#include "collectives/collective.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace trainyard {
namespace {

TEST(Chunks, OfAnySizeAddUpToTheBufferAndDifferByAtMostOneByte) {
  for (const std::int64_t size : {0, 1, 7, 63, 64, 65, 1000003})
    for (int chunks = 1; chunks <= 64; ++chunks) {
      std::int64_t total = 0;
      for (int c = 0; c < chunks; ++c) {
        const std::int64_t chunk = chunk_bytes(bytes(size), chunks, c).count();
        EXPECT_GE(chunk, size / chunks);
        EXPECT_LE(chunk, (size + chunks - 1) / chunks);
        total += chunk;
      }
      EXPECT_EQ(total, size);
    }
}

TEST(Chunks, OfAChunkAreChunksOfTheWhole) {
  const Bytes size = bytes(1000003);
  const std::int64_t shares = 6;
  const std::int64_t pieces = 5;
  for (std::int64_t share = 0; share < shares; ++share) {
    Bytes total;
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      total += chunk_bytes(size, shares * pieces, share * pieces + piece);
    EXPECT_EQ(total, chunk_bytes(size, shares, share));
  }
}

TEST(Chunks, OfAnExabyteOverManyRanksDoNotOverflow) {
  const std::int64_t chunks = 1 << 20;
  const Bytes exbibyte = gibibytes(1 << 30);
  EXPECT_EQ(chunk_bytes(exbibyte, chunks, chunks - 1), exbibyte / chunks);
  EXPECT_EQ(chunk_offset(exbibyte, chunks, chunks), exbibyte);
}

TEST(Chunks, OfAnAllToAllBelongToTheBufferOfTheirSender) {
  const Collective all_to_all{CollectiveKind::AllToAll, 3, bytes(10)};
  const Schedule schedule{3, 9, {}};
  const int from = 2;
  const int to = 1;
  const Transfer transfer{Rank{from}, Rank{to}, from * 3 + to, false};
  EXPECT_EQ(transfer_bytes(all_to_all, schedule, transfer), chunk_bytes(bytes(10), 3, to));
}

TEST(CollectiveKinds, HaveDifferentNames) {
  const std::set<std::string> names = {
      to_string(CollectiveKind::AllReduce),     to_string(CollectiveKind::AllGather),
      to_string(CollectiveKind::ReduceScatter), to_string(CollectiveKind::AllToAll),
      to_string(CollectiveKind::Broadcast),     to_string(CollectiveKind::SendRecv)};
  EXPECT_EQ(names.size(), 6U);
}

}  // namespace
}  // namespace trainyard
