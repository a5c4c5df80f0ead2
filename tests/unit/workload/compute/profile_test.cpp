#include "workload/compute/profile.hpp"

#include "base/error.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <gmock/gmock.h>

namespace trainyard {
namespace {

using Coverage = ProfileTimes::Coverage;

const char* const kHeader = "kind,precision,batch,m,n,k,flops,bytes,time\n";

std::vector<ProfiledKernel> profile_of(const std::string& rows) {
  const std::string file = scratch_path("profile.csv");
  std::ofstream(file) << rows;
  return read_profile(file);
}

std::string refusal(const std::string& rows) {
  try {
    profile_of(rows);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Kernel gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
  Kernel made;
  made.kind = Kernel::Kind::Gemm;
  made.m = m;
  made.n = n;
  made.k = k;
  return made;
}

Kernel memory(double bytes) {
  Kernel made;
  made.bytes = bytes;
  return made;
}

ProfileTimes times() {
  return {profile_of(std::string(kHeader) + "# cuBLAS 12.4\n"
                                            "gemm,bf16,,4096,4096,4096,,,200 us\n"
                                            "gemm,bf16,1,8192,8192,8192,,,1.5 ms\n"
                                            "memory,bf16,,,,,,1e6,2 us\n"
                                            "memory,bf16,,,,,,1e8,32 us\n"),
          PresetTimes("H100")};
}

TEST(Profile, AnswersWhatWasMeasured) {
  const auto answer = times().ask(gemm(4096, 4096, 4096));
  EXPECT_EQ(answer.coverage, Coverage::Measured);
  EXPECT_DOUBLE_EQ(in_microseconds(answer.time), 200);
}

TEST(Profile, KeepsTheNearestShapesRate) {
  const auto near = times().ask(gemm(4096, 8192, 4096));  // twice the work of the first row
  EXPECT_EQ(near.coverage, Coverage::Interpolated);
  EXPECT_DOUBLE_EQ(in_microseconds(near.time), 400);
  EXPECT_EQ(times().ask(gemm(512, 4096, 4096)).coverage, Coverage::Outside);
}

TEST(Profile, IsLogLinearAlongBytes) {
  const auto between = times().ask(memory(1e7));  // half-way in the logarithm
  EXPECT_EQ(between.coverage, Coverage::Interpolated);
  EXPECT_NEAR(in_microseconds(between.time), std::sqrt(2.0 * 32), 1e-9);
  const auto beyond = times().ask(memory(1e9));
  EXPECT_EQ(beyond.coverage, Coverage::Outside);
  EXPECT_DOUBLE_EQ(in_microseconds(beyond.time), 320);
}

TEST(Profile, LeavesToThePresetWhatNobodyMeasured) {
  Kernel kernel = gemm(4096, 4096, 4096);
  kernel.precision = Precision::Fp8;
  const auto answer = times().ask(kernel);
  EXPECT_EQ(answer.coverage, Coverage::NotMeasured);
  EXPECT_EQ(answer.time, PresetTimes("H100").of(kernel));
}

TEST(Profile, RefusesWhatItCannotRead) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal(std::string(kHeader) + "gem,bf16,,1,1,1,,,1 us\n"),
              HasSubstr(":2: kind: unknown value 'gem'; did you mean 'gemm'?"));
  EXPECT_THAT(refusal(std::string(kHeader) + "gemm,bf16,,0,1,1,,,1 us\n"),
              HasSubstr(":2: m: must be an integer of at least 1, got '0'"));
  EXPECT_THAT(refusal(std::string(kHeader) + "gemm,bf16,,1,1,1,,,1\n"), HasSubstr(":2: time: "));
  EXPECT_THAT(refusal(std::string(kHeader) + "memory,bf16,,1,,,,1e6,1 us\n"),
              HasSubstr(":2: m: must be empty for kind 'memory'"));
  EXPECT_THAT(refusal("kind,time\n"), HasSubstr(":1: the first line must be kind,precision,"));
  EXPECT_THAT(refusal(std::string(kHeader) + "gemm,bf16\n"),
              HasSubstr(":2: expected 9 columns, found 2"));
  EXPECT_THAT(refusal(kHeader), HasSubstr("holds no row"));
}

}  // namespace
}  // namespace trainyard
