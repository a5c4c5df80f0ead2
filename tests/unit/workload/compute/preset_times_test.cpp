#include "workload/compute/preset_times.hpp"

#include "base/error.hpp"
#include "workload/compute/gemm.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {
namespace {

Kernel gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1) {
  Kernel made;
  made.kind = Kernel::Kind::Gemm;
  made.batch = batch;
  made.m = m;
  made.n = n;
  made.k = k;
  return made;
}

Efficiency plain(const std::string& gpu) {
  Efficiency made = usual_efficiency(gpu);
  made.gemm = 0.8;
  made.attention = 0.5;
  made.hbm = 0.9;
  made.kernel = microseconds(2);
  made.fill = 0;
  return made;
}

// One wave of 108 SMs: 12 x 9 tiles of 256 x 128.
constexpr std::int64_t kRows = 12L * 256, kColumns = 9L * 128;

TEST(Gemm, OfAsManyLargestTilesAsSmsIsOneFullWave) {
  const int sms = 108;
  const GemmPlan plan = plan_gemm(gemm(kRows, kColumns, 4096), sms, 0);
  EXPECT_EQ(plan.tiles, 12 * 9);
  EXPECT_EQ(plan.waves, 1);
  EXPECT_DOUBLE_EQ(plan.flops, 2.0 * kRows * kColumns * 4096);
}

TEST(Gemm, OneMoreTileThanSmsCostsASecondWaveOrSmallerTiles) {
  const int sms = 108;
  const Kernel full = gemm(kRows, kColumns, 4096), more = gemm(kRows, kColumns + 1, 4096);
  const double one = plan_gemm(full, sms, 0).flops;
  const double two = plan_gemm(more, sms, 0).flops;
  EXPECT_GT(two, 1.3 * one);
  EXPECT_LE(two, 2 * one);  // what a second wave of the same tile would cost
}

TEST(Gemm, TakesSmallTilesWhereLargeOnesWouldLeaveSmsIdle) {
  const GemmPlan plan = plan_gemm(gemm(1024, 1024, 4096), 108, 0);
  EXPECT_GT(plan.tiles, 1024 / 256 * (1024 / 128));
}

TEST(Gemm, StartAndEndOfAWaveCountAsStepsOfK) {
  const double bare = plan_gemm(gemm(3072, 1152, 1000), 108, 0).flops;
  EXPECT_DOUBLE_EQ(plan_gemm(gemm(3072, 1152, 1000), 108, 100).flops, bare * 1100 / 1000);
}

TEST(PresetTimes, OfALargeGemmAreThePeakTimesTheEfficiency) {
  const PresetTimes times(plain("A100"));
  const std::int64_t m = 10 * kRows, n = 10 * kColumns, k = 8192;
  const double flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * k;
  EXPECT_DOUBLE_EQ(in_seconds(times.of(gemm(m, n, k))), 2e-6 + flops / (312e12 * 0.8));
}

TEST(PresetTimes, OfAGemmOfLittleWorkForItsBytesAreItsBytes) {
  Kernel thin = gemm(1 << 20, 64, 64);
  thin.bytes = 2.0 * (1 << 20) * (64 + 64);
  EXPECT_DOUBLE_EQ(in_seconds(PresetTimes(plain("A100")).of(thin)),
                   2e-6 + thin.bytes / (2039e9 * 0.9));
}

TEST(PresetTimes, OfAttentionAndMemoryKernelsAreTheirRoofline) {
  const PresetTimes times(plain("H100"));
  Kernel attention;
  attention.kind = Kernel::Kind::Attention;
  attention.flops = 1e12;
  attention.bytes = 1e6;
  EXPECT_DOUBLE_EQ(in_seconds(times.of(attention)), 2e-6 + 1e12 / (989.4e12 * 0.5));
  Kernel memory;
  memory.bytes = 1e9;
  EXPECT_DOUBLE_EQ(in_seconds(times.of(memory)), 2e-6 + 1e9 / (3350e9 * 0.9));
}

TEST(PresetTimes, RefuseAPrecisionThatTheGpuHasNot) {
  Kernel kernel = gemm(4096, 4096, 4096);
  kernel.precision = Precision::Fp8;
  EXPECT_THROW(PresetTimes("A100").of(kernel), InfeasibleError);
  EXPECT_NO_THROW(PresetTimes("H100").of(kernel));
}

TEST(PresetTimes, KnowEveryGpuThereIs) {
  for (const GpuType& type : gpu_types())
    EXPECT_GT(PresetTimes(type.name).of(gemm(4096, 4096, 4096)), Seconds(0)) << type.name;
  EXPECT_THROW(PresetTimes("H1000"), InputError);
  EXPECT_THROW(PresetTimes(""), InputError);
}

TEST(PresetTimes, NeverBeatThePeakNorShrinkWithMoreWork) {
  const PresetTimes times("H100");
  for (std::int64_t m = 64; m <= 16384; m *= 2)
    for (std::int64_t n = 64; n <= 16384; n *= 4) {
      const double flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * 4096;
      EXPECT_GT(in_seconds(times.of(gemm(m, n, 4096))), flops / 989.4e12);
      EXPECT_LE(times.of(gemm(m, n, 4096)), times.of(gemm(2 * m, n, 4096)));
      EXPECT_LT(times.of(gemm(m, n, 4096)), times.of(gemm(m, n, 8192)));
    }
}

}  // namespace
}  // namespace trainyard
