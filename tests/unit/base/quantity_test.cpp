// Quantities, ids and errors: the vocabulary of every other module.
#include "base/quantity.hpp"

#include "base/error.hpp"
#include "base/ids.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace trainyard {
namespace {

template <typename A, typename B, typename = void>
struct CanAdd : std::false_type {};
template <typename A, typename B>
struct CanAdd<A, B, std::void_t<decltype(std::declval<A>() + std::declval<B>())>> : std::true_type {
};

static_assert(CanAdd<Seconds, Seconds>::value);
static_assert(!CanAdd<Seconds, Bandwidth>::value);
static_assert(!CanAdd<Bytes, Seconds>::value);
static_assert(!CanAdd<Seconds, double>::value);
static_assert(!std::is_convertible_v<GpuId, NicId>);
static_assert(!std::is_convertible_v<int, GpuId>);

TEST(Quantity, ASizeDividedByABandwidthIsATime) {
  // 64 MiB = 2^26 B at 400 Gbit/s = 5e10 B/s.
  EXPECT_DOUBLE_EQ(in_seconds(mebibytes(64) / gigabits_per_second(400)), 67108864 / 5e10);
}

TEST(Quantity, AMicrosecondIsTheDoubleNearestToIt) {
  EXPECT_EQ(in_seconds(microseconds(3)), 3e-6);
  EXPECT_EQ(in_seconds(nanoseconds(100)), 1e-7);
  EXPECT_EQ(in_seconds(milliseconds(7)), 7e-3);
}

TEST(Quantity, AGibibyteIsNotAGigabyte) {
  EXPECT_EQ(gibibytes(1).count(), 1LL << 30);
  EXPECT_EQ(in_bytes_per_second(gigabytes_per_second(1)), 1e9);
}

TEST(Quantity, ForeverIsLaterThanEverything) { EXPECT_LT(days(1e9), forever()); }

TEST(Id, IsInvalidUntilItIsGivenANumber) {
  EXPECT_FALSE(GpuId().valid());
  EXPECT_TRUE(GpuId(0).valid());
  EXPECT_LT(GpuId(1), GpuId(2));
}

TEST(InputError, ReadsLikeACompilers) {
  const InputError error({"exp.yaml", 7, 3}, "network.modle", "unknown key");
  EXPECT_STREQ(error.what(), "exp.yaml:7:3: network.modle: unknown key");
  EXPECT_EQ(error.exit_code(), 2);
}

TEST(InputError, LeavesOutWhatItDoesNotKnow) {
  EXPECT_STREQ(InputError({"a.csv", 4}, "", "bad").what(), "a.csv:4: bad");
  EXPECT_STREQ(InputError({"a.csv"}, "", "bad").what(), "a.csv: bad");
  EXPECT_STREQ(InputError({}, "seed", "bad").what(), "seed: bad");
}

TEST(Errors, EachKindHasItsOwnExitCode) {
  EXPECT_EQ(InfeasibleError({"exp.yaml"}, "", "4 GPUs are asked for and 2 exist").exit_code(), 3);
  EXPECT_EQ(SimulationError("rank 3 waits for rank 4").exit_code(), 4);
}

}  // namespace
}  // namespace trainyard
