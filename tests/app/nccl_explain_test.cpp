// What `trainyard nccl-tests` says about its choice of algorithms.
#include "program.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Outcome sweep(const std::vector<std::string>& more) {
  const Workplace place;
  std::vector<std::string> arguments = {
      "nccl-tests", "all_reduce",
      "--platform", TRAINYARD_SOURCE_DIR "/platforms/dgx_h100_x32_rail.xml",
      "-N",         "2",
      "-b",         "64M",
      "-e",         "64M"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return place.run(arguments);
}

TEST(NcclTestsCommand, ExplainsOnRequestWhatWasChosenAndWhatTheBestWouldHaveBeen) {
  EXPECT_THAT(sweep({}).out, Not(HasSubstr("NCCL would choose")));
  const Outcome explained = sweep({"--explain"});
  EXPECT_EQ(explained.code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("# all_reduce of 67108864 B over 16 ranks: nvls_tree "
                                       "(NCCL would choose NVLSTree/Simple, "));
  EXPECT_THAT(explained.out, HasSubstr("on this network"));
  EXPECT_THAT(explained.out, HasSubstr("; bound by "));
  EXPECT_THAT(explained.out, HasSubstr(" % beyond the analytic model\n"));
}

TEST(NcclTestsCommand, RefusesANamedAlgorithmThatTheHardwareCannotPlay) {
  const Outcome outcome = sweep({"--algorithm", "sharp"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              HasSubstr("sharp cannot be played: no switch of dgx_h100_x32_rail adds up"));
}

}  // namespace
}  // namespace trainyard::testing
