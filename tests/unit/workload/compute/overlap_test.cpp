#include "workload/compute/overlap.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

const GpuType& h100() { return *find_gpu_type("H100"); }

Resident resident(Transport transport, double gigabytes_sent = 0) {
  return {overlap_cost(h100(), transport), gigabytes_per_second(gigabytes_sent)};
}

TEST(Overlap, TakesTheSmsThatTheCollectiveHolds) {
  const KernelMix math{1, 0, 0};
  EXPECT_DOUBLE_EQ(slowdown(h100(), math, resident(Transport::Channels)), 132.0 / (132 - 24));
  EXPECT_DOUBLE_EQ(slowdown(h100(), math, resident(Transport::CopyEngine)), 1);
}

TEST(Overlap, CostsAWholeWaveWhereTheLastOneWasFull) {
  const auto factor = [](double waves) {
    return slowdown(h100(), {1, 0, waves}, resident(Transport::Channels));
  };
  EXPECT_DOUBLE_EQ(factor(1), 2);          // 132 tiles on 108 SMs: two waves
  EXPECT_DOUBLE_EQ(factor(0.5), 1);        // 66 tiles still fit
  EXPECT_DOUBLE_EQ(factor(4), 5.0 / 4);    // 528 tiles on 108: 4.9
  EXPECT_DOUBLE_EQ(factor(1.5), 2.0 / 2);  // 198 tiles on 108: two waves either way
}

TEST(Overlap, TakesMemoryBandwidthForTheBytesThatTheCollectiveTouches) {
  const KernelMix memory{0, 1, 0};
  const double sent = 335;  // a tenth of H100's 3,350 GB/s
  EXPECT_DOUBLE_EQ(slowdown(h100(), memory, resident(Transport::Channels, sent)), 1 / (1 - 0.3));
  EXPECT_DOUBLE_EQ(slowdown(h100(), memory, resident(Transport::Nvls, sent)), 1 / (1 - 0.2));
}

TEST(Overlap, CostsLessWhereSwitchesAddUpOrEnginesCopy) {
  const KernelMix half{0.5, 0.5, 0};
  double last = 1e9;
  for (const Transport transport :
       {Transport::Channels, Transport::Nvls, Transport::Sharp, Transport::CopyEngine}) {
    const double now = slowdown(h100(), half, resident(transport, 100));
    EXPECT_LT(now, last);
    last = now;
  }
  EXPECT_GT(last, 1);
}

TEST(Overlap, NeverMakesFasterNorStandsStill) {
  for (const GpuType& gpu : gpu_types())
    for (const Transport transport :
         {Transport::Channels, Transport::Nvls, Transport::Sharp, Transport::CopyEngine})
      for (const double math : {0.0, 0.25, 0.5, 1.0})
        for (const double waves : {0.0, 0.3, 1.0, 2.5, 40.0}) {
          const Resident there{overlap_cost(gpu, transport), gigabytes_per_second(5000)};
          const double factor = slowdown(gpu, {math, 1 - math, waves}, there);
          EXPECT_GE(factor, 1) << gpu.name;
          EXPECT_LT(factor, 20) << gpu.name;
        }
}

TEST(KernelMix, IsWhatFlopsAndBytesExplainOfTheDuration) {
  Efficiency e = usual_efficiency("H100");
  const double flops = 0.4 * 989.4e12 * e.gemm, bytes = 0.5 * 3350e9 * e.hbm;
  const KernelMix mix = kernel_mix(e, seconds(1), flops, bytes);
  EXPECT_NEAR(mix.math, 0.4, 1e-12);
  EXPECT_NEAR(mix.memory, 0.5, 1e-12);
  const KernelMix tight = kernel_mix(e, seconds(0.6), flops, bytes);
  EXPECT_NEAR(tight.math + tight.memory, 1, 1e-12);
  EXPECT_DOUBLE_EQ(kernel_mix(e, seconds(1), 0, 0).math, 1);
}

}  // namespace
}  // namespace trainyard
