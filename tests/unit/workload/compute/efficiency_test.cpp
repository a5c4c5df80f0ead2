#include "workload/compute/efficiency.hpp"

#include "base/error.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>

namespace trainyard {
namespace {

std::string file_of(const std::string& text) {
  std::string file = scratch_path("efficiency.csv");
  std::ofstream(file) << text;
  return file;
}

TEST(Efficiency, IsReadBackAsItWasWritten) {
  Efficiency one = usual_efficiency("A100");
  one.gemm = 0.7125;
  one.label = "calibrated";
  one.range = "22B to 175B on 8 to 64 GPUs";
  one.loo_mean = 0.021;
  one.source = "a table";
  const std::string text = to_csv({one, usual_efficiency("H100")});
  const auto read = read_efficiencies(file_of(text));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(to_csv(read), text);
  EXPECT_DOUBLE_EQ(read[0].gemm, 0.7125);
  EXPECT_EQ(read[0].range, one.range);
}

TEST(Efficiency, OfAnUnknownGpuOrTwiceIsAnErrorWithItsLine) {
  std::string text = to_csv({usual_efficiency("A100"), usual_efficiency("A100")});
  const auto refused = [](const std::string& file) {
    try {
      read_efficiencies(file);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused(file_of(text)), testing::HasSubstr(":3: gpu: 'A100' is there twice"));
  text.replace(text.find("A100"), 4, "A10O");
  EXPECT_THAT(refused(file_of(text)), testing::HasSubstr(":2: gpu: unknown value 'A10O'"));
}

TEST(Efficiency, IsAShareOfWhatThereIs) {
  for (const char* gpu : {"A100", "H100", "B200", "MI300X"}) {
    const Efficiency& one = usual_efficiency(gpu);
    for (const double share : {one.gemm, one.attention, one.hbm}) {
      EXPECT_GT(share, 0) << gpu;
      EXPECT_LE(share, 1) << gpu;
    }
    EXPECT_EQ(one.label, "assumed");
  }
}

}  // namespace
}  // namespace trainyard
