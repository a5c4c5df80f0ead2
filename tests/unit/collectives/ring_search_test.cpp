// Rings found in meshes of links, above all in the hybrid cube mesh of a DGX-1V.
#include "collectives/rings/ring_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace trainyard {
namespace {

constexpr Bandwidth kLink = gigabytes_per_second(22.5);

// Links between the first `members` GPUs: as many as the digit in row a and column b.
LinkMatrix mesh(const std::vector<std::string>& rows, int members) {
  LinkMatrix links{members, {}};
  for (int a = 0; a < members; ++a)
    for (int b = 0; b < members; ++b)
      links.between.push_back(
          (rows[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] - '0') * kLink);
  return links;
}

// Two squares of four with six links a GPU, as `nvidia-smi topo -m` prints them.
const std::vector<std::string> kCubeMesh = {"01122000", "10210200", "12020010", "21200001",
                                            "20000112", "02001021", "00101202", "00012120"};

// Measured on such a machine (all-reduce, in links): 1, 2, 3.8, 1.65, 2, 3.9, 6. With five GPUs the
// fifth hangs on one other only, and relaying costs something that links alone do not show.
TEST(FindRings, OfAHybridCubeMeshFollowWhatIsMeasuredForTwoToEightGpus) {
  const double measured[] = {1, 2, 3.8, 1.65, 2, 3.9, 6};
  for (int gpus = 2; gpus <= 8; ++gpus) {
    const FoundRings found = find_rings(mesh(kCubeMesh, gpus));
    const double links = found.total() / kLink;
    EXPECT_NEAR(links / measured[gpus - 2], 1, gpus == 5 ? 0.22 : 0.06) << gpus;
    EXPECT_EQ(found.relayed, gpus == 5);
  }
}

TEST(FindRings, AreRingsOfAllMembersThatShareNoLink) {
  for (const int gpus : {2, 3, 4, 6, 7, 8}) {
    const LinkMatrix links = mesh(kCubeMesh, gpus);
    const FoundRings found = find_rings(links);
    LinkMatrix left = links;
    for (const Ring& ring : found.rings) {
      EXPECT_EQ(std::set<Rank>(ring.order.begin(), ring.order.end()).size(),
                static_cast<std::size_t>(gpus));
      for (std::size_t i = 0; i < ring.order.size(); ++i) {
        const int from = ring.order[i].value();
        const int to = ring.order[(i + 1) % ring.order.size()].value();
        left.between[static_cast<std::size_t>(from * gpus + to)] -= found.each;
        EXPECT_GE(in_bytes_per_second(left.at(from, to)), -1);
      }
    }
  }
}

TEST(FindRings, UseTheWholeOfAPairIfThatIsAsMuch) {
  const FoundRings found = find_rings(mesh({"022", "202", "220"}, 3));
  EXPECT_EQ(found.rings.size(), 2U);
  EXPECT_EQ(found.each, 2 * kLink);
}

TEST(FindRings, OfAFullMeshUseEveryLink) {
  EXPECT_EQ(find_rings(mesh({"0111", "1011", "1101", "1110"}, 4)).total() / kLink, 3);
}

TEST(FindRings, AreNoneWhereThereIsNoWayRound) {
  EXPECT_TRUE(find_rings(mesh({"00", "00"}, 2)).rings.empty());
  EXPECT_TRUE(find_rings(LinkMatrix{1, {Bandwidth()}}).rings.empty());
}

}  // namespace
}  // namespace trainyard
