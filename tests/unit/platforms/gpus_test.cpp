#include "platforms/gpus.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <set>

namespace trainyard {
namespace {

TEST(GpuTypes, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const GpuType& type : gpu_types()) {
    EXPECT_TRUE(names.insert(type.name).second) << type.name;
    EXPECT_EQ(find_gpu_type(type.name), &type);
  }
  EXPECT_EQ(find_gpu_type("h100"), nullptr);
}

TEST(GpuTypes, MultiplyTwiceAsFastWithHalfTheBits) {
  for (const GpuType& type : gpu_types()) {
    if (type.tf32 > 0) {
      EXPECT_NEAR(type.bf16 / type.tf32, 2, 0.001) << type.name;
    }
    if (type.fp8 > 0) {
      EXPECT_NEAR(type.fp8 / type.bf16, 2, 0.001) << type.name;
    }
  }
}

// Tensor cores do a whole number of multiply-adds per SM and clock; the boost clock that the peak
// implies is one that silicon has.
TEST(GpuTypes, PeaksImplyAPlausibleClock) {
  const auto clock_ghz = [](const char* name, double flops_per_sm_and_clock) {
    const GpuType& type = *find_gpu_type(name);
    return type.bf16 * 1e12 / (type.sms * flops_per_sm_and_clock) / 1e9;
  };
  EXPECT_NEAR(clock_ghz("A100", 2 * 1024), 1.41, 0.005);   // white paper: 1,410 MHz
  EXPECT_NEAR(clock_ghz("H100", 2 * 2048), 1.83, 0.005);   // white paper: 1,830 MHz
  EXPECT_NEAR(clock_ghz("MI300X", 2 * 1024), 2.1, 0.005);  // data sheet: 2,100 MHz
}

}  // namespace
}  // namespace trainyard
