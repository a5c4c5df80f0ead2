// `trainyard nccl-tests`, `calibrate` and `validate` as a user meets them.
#include "program.hpp"
#include "workload/importers/nccl/sweep.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard::testing {
namespace {

using ::testing::HasSubstr;

const std::string kSource = TRAINYARD_SOURCE_DIR;
const std::string kTiny = kSource + "/platforms/tiny_2x4.xml";

TEST(NcclTestsCommand, PrintsWhatTheReaderOfLogsReads) {
  const Workplace place;
  const Outcome printed = place.run({"nccl-tests", "all_gather", "--platform", kTiny, "-b", "1M",
                                     "-e", "64M", "--csv", "table.csv"});
  EXPECT_EQ(printed.code, 0) << printed.err;
  place.write("again.log", printed.out);
  const NcclLog log = read_nccl_log((place.path() / "again.log").string());
  ASSERT_EQ(log.sweeps.size(), 1U);
  EXPECT_STREQ(log.sweeps[0].operation->name, "all_gather");
  EXPECT_EQ(log.sweeps[0].ranks, 8);
  EXPECT_EQ(log.sweeps[0].rows.size(), 7U);
  EXPECT_THAT(place.read("table.csv"), HasSubstr("\n1048576,"));
}

TEST(NcclTestsCommand, NamesWhatItDoesNotKnow) {
  const Workplace place;
  const auto error_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"nccl-tests"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.run(arguments).err;
  };
  EXPECT_THAT(error_of({"all_redcue", "--platform", kTiny}),
              HasSubstr("did you mean 'all_reduce'"));
  EXPECT_THAT(error_of({"all_reduce", "--platform", kTiny, "-b", "1Q"}),
              HasSubstr("minbytes: '1Q' is no size"));
  EXPECT_THAT(error_of({"all_reduce", "--platform", kTiny, "-n", "64"}), HasSubstr("do not fit"));
  EXPECT_THAT(error_of({"all_reduce", "--platform", kTiny, "--algorithm", "rnig"}),
              HasSubstr("did you mean 'ring'"));
}

TEST(CalibrateCommand, WritesWhatAPlatformCanName) {
  const Workplace place;
  const Outcome printed =
      place.run({"nccl-tests", "all_reduce", "--platform", kTiny, "-b", "1M", "-e", "1G"});
  place.write("measured.log", printed.out);
  const Outcome fitted = place.run({"calibrate", "measured.log", "--nodes", "2", "--platform",
                                    kTiny, "--every-other", "-o", "tiny.csv"});
  EXPECT_EQ(fitted.code, 0) << fitted.err;
  EXPECT_THAT(fitted.out, HasSubstr("held out"));
  EXPECT_THAT(fitted.out, HasSubstr("OUTSIDE"));
  EXPECT_THAT(place.read("tiny.csv"), HasSubstr("all_reduce,"));
}

TEST(ValidateCommand, HoldsForWhatTheRepositoryHasAndSaysWhatItSkipped) {
  const Workplace place;
  const Outcome outcome =
      place.run({"validate", "--cases", kSource + "/experiments/validation/cases.csv", "--logs",
                 "none", "-o", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("SKIPPED"));
  EXPECT_EQ(place.listing("out").size(), 4U);
}

TEST(ValidateCommand, ABrokenBandIsExitCode1) {
  const Workplace place;
  place.write("cases.csv",
              "case,platform,source,line,operation,ranks,nodes,fit\n"
              "made up," +
                  kTiny + ",table.md,,all_reduce,4,1,assumed\n");
  place.write("bands.csv",
              "region,nodes,which,gpu,from_B,to_B,mean,max,envelope\n"
              "all,one,assumed,*,1,1000000000000,0.05,0.05,no\n");
  place.write("table.md",
              "NCCL AllReduce\n\n| Message size | busbw (GB/s) |\n| --- | --- |\n| 1GiB | 1.0 |\n");
  const Outcome outcome = place.run({"validate", "--cases", "cases.csv"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("BROKEN"));
}

}  // namespace
}  // namespace trainyard::testing
