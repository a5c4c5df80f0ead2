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

TEST(NcclTestsCommand, RefusesAnAlgorithmThatDoesNotApply) {
  const Workplace place;
  const Outcome outcome = place.run({"nccl-tests", "all_gather", "--platform", kTiny, "-b", "1M",
                                     "-e", "1M", "--algorithm", "pat"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("algorithm: pat does not apply to 8 ranks, 4 a node"));
}

TEST(NcclTestsCommand, SendsToTheNextOfAsManyRanksAsThereAre) {
  const Workplace place;
  const Outcome outcome =
      place.run({"nccl-tests", "sendrecv", "--platform", kTiny, "-b", "1M", "-e", "1M"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("8 ranks"));
}

TEST(NcclTestsCommand, TakesAPlainSimGridPlatformAsNodesOfOneGpu) {
  const Workplace place;
  place.write("plain.xml", fixture("plain.xml"));
  const Outcome outcome = place.run(
      {"nccl-tests", "all_reduce", "--platform", "plain.xml", "-b", "1M", "-e", "4M", "--explain"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1048576"));
}

TEST(CalibrateCommand, RefusesALogOfAnotherGpuAndImpossibleRanks) {
  const Workplace place;
  std::string log = "# Using devices\n";
  for (int rank = 0; rank < 8; ++rank)
    log += "#  Rank  " + std::to_string(rank) + " Group  0 Pid " + std::to_string(rank + 1) +
           " on host" + std::to_string(rank / 4) + " device  " + std::to_string(rank % 4) +
           " [0x19] NVIDIA H100 80GB HBM3\n";
  log += place.run({"nccl-tests", "all_reduce", "--platform", kTiny, "-b", "1M", "-e", "64M"}).out;
  place.write("h100.log", log);
  const std::string a100 = kSource + "/platforms/dgx_a100_x2.xml";
  const Outcome outcome = place.run({"calibrate", "h100.log", "--platform", a100});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("was measured on 'NVIDIA H100 80GB HBM3'"));
  EXPECT_EQ(place.run({"calibrate", "h100.log", "--platform", kTiny, "--ranks", "-1"}).code, 2);
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

TEST(ValidateCommand, FindsTheRepositorysCasesFromAnywhere) {
  const Workplace place;
  const Outcome outcome = place.run({"validate", "--logs", "none"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err + outcome.out, HasSubstr("SKIPPED"));
}

TEST(ValidateCommand, ListsLogsThatDoNotFitThePlatform) {
  const Workplace place;
  std::filesystem::create_directory(place.path() / "logs");
  const auto sweep = [&](const std::string& platform) {
    return place
        .run({"nccl-tests", "all_reduce", "--platform", kSource + "/platforms/" + platform, "-b",
              "1G", "-e", "1G"})
        .out;
  };
  place.write("logs/large.log", sweep("dgx_h100_x4.xml"));  // 32 ranks
  place.write("logs/small.log", sweep("tiny_2x4.xml"));
  const Outcome outcome = place.run({"validate", "--logs", "logs", "--platform", kTiny});
  EXPECT_THAT(outcome.out, HasSubstr("is not applicable"));
  EXPECT_THAT(outcome.out, HasSubstr("small.log"));
  EXPECT_LT(outcome.code, 2) << outcome.err;
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
