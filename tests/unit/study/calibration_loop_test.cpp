// From a log to a calibration and back: what was fitted is what the simulator then says.
#include "base/error.hpp"
#include "platforms/xml.hpp"
#include "study/validation/calibrate.hpp"
#include "study/validation/cases.hpp"
#include "study/validation/oracles/oracles.hpp"
#include "study/validation/simulated_sweep.hpp"
#include "study/validation/validate.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace trainyard {
namespace {

std::string source_path(const std::string& relative) {
  return std::string(TRAINYARD_SOURCE_DIR) + "/" + relative;
}

class CalibrationLoop : public ::testing::Test {
protected:
  Platform platform = load_platform(source_path("platforms/tiny_2x4.xml"));
  std::unique_ptr<Routing> routing = make_routing(platform, {});

  // time = 30 us + 1.5 x what the links need, at 1 MiB .. 1 GiB on one node of 4.
  NcclSweep sweep() const {
    NcclSweep sweep;
    sweep.file = "made_up.log";
    sweep.line = 1;
    sweep.operation = find_nccl_operation("all_gather");
    sweep.ranks = 4;
    sweep.nodes = 1;
    for (int power = 20; power <= 30; ++power) {
      NcclRow row;
      row.size = bytes(std::int64_t{1} << power);
      row.time = microseconds(30) + 1.5 * 0.75 * (row.size / gigabytes_per_second(400));
      sweep.rows.push_back(row);
    }
    return sweep;
  }
};

TEST_F(CalibrationLoop, WhatWasFittedIsWhatTheSimulatorSays) {
  const CalibrationResult result = calibrate({sweep()}, platform, *routing, FitSizes::EveryOther);
  ASSERT_EQ(result.calibration.laws.size(), 1U);
  const CollectiveLaw& law = result.calibration.laws[0];
  EXPECT_EQ(law.from, mebibytes(1));
  EXPECT_EQ(law.to, gibibytes(1));
  EXPECT_NEAR(law.efficiency, 1 / 1.5, 1e-3);
  CollectiveTimer timer(platform, *routing, place_ranks(platform, 1, 4, "pack_by_leaf"));
  for (const NcclRow& row : sweep().rows) {
    const SimulatedRow simulated =
        simulate_row(timer, result.calibration, CollectiveKind::AllGather, "", row.size);
    EXPECT_EQ(simulated.label, "calibrated");
    EXPECT_EQ(simulated.algorithm, law.algorithm);
    EXPECT_NEAR(simulated.time / row.time, 1, 1e-3);
  }
  EXPECT_EQ(
      simulate_row(timer, result.calibration, CollectiveKind::AllGather, "", gibibytes(2)).label,
      "outside range");
  EXPECT_EQ(
      simulate_row(timer, result.calibration, CollectiveKind::AllReduce, "", gibibytes(1)).label,
      "assumed");
}

TEST_F(CalibrationLoop, TooFewSizesMakeNoLaw) {
  NcclSweep few = sweep();
  few.rows.resize(3);
  const CalibrationResult result = calibrate({few}, platform, *routing, FitSizes::All);
  EXPECT_TRUE(result.calibration.laws.empty());
  EXPECT_EQ(result.warnings.size(), 1U);
}

TEST_F(CalibrationLoop, ASweepThatDoesNotFitIsInfeasible) {
  NcclSweep big = sweep();
  big.ranks = 64;
  big.nodes = 0;
  EXPECT_THROW(calibrate({big}, platform, *routing, FitSizes::All), InfeasibleError);
}

TEST_F(CalibrationLoop, ScalingBySizeIsWhatLoweringGives) {
  CollectiveTimer timer(platform, *routing, place_ranks(platform, 2, 4, "pack_by_leaf"));
  for (const AlgorithmEntry& algorithm : algorithms()) {
    const Bytes size = mebibytes(48);
    const Collective collective = timer.collective(algorithm.kind, size);
    if (!algorithm.applies(collective)) continue;
    SCOPED_TRACE(std::string(to_string(algorithm.kind)) + " " + algorithm.name);
    CollectiveSpec spec;
    spec.collective = collective;
    spec.algorithm = &algorithm;
    spec.members = {place_ranks(platform, 2, 4, "pack_by_leaf")};
    const Seconds direct =
        alone_duration(lower(spec, platform, *routing), nominal_capacities(platform));
    const CollectiveCost cost = timer.cost(algorithm.kind, algorithm, size);
    EXPECT_NEAR((cost.known.path + cost.known.wire) / direct, 1, 1e-6);
  }
}

TEST(NcclSizes, AreThoseOfItsCommandLine) {
  EXPECT_EQ(nccl_size("8"), bytes(8));
  EXPECT_EQ(nccl_size("64K"), kibibytes(64));
  EXPECT_EQ(nccl_size("1m"), mebibytes(1));
  EXPECT_EQ(nccl_size("16G"), gibibytes(16));
  for (const char* wrong : {"", "0", "G", "-1", "1KB", "999999999T"})
    EXPECT_EQ(nccl_size(wrong), bytes(0)) << wrong;
  EXPECT_EQ(sweep_sizes(bytes(8), bytes(100), 2).size(), 4U);
}

TEST(Oracles, AllHold) {
  OracleResults oracles = run_oracles();
  excuse(oracles, read_validation_files(source_path("experiments/validation/cases.csv")).misses);
  for (const OracleResult& oracle : oracles)
    EXPECT_TRUE(oracle.held()) << oracle.name << ": " << oracle.expected << ", got " << oracle.got;
}

TEST(Validation, WhatTheRepositoryHoldsIsInsideItsBandsOrAKnownMiss) {
  const ValidationFiles files =
      read_validation_files(source_path("experiments/validation/cases.csv"));
  const ValidationReport report = validate(files, "");
  EXPECT_GE(report.verdicts.size(), 10U);
  EXPECT_FALSE(report.skipped.empty()) << "logs are not in the repository";
  EXPECT_EQ(broken(report), 0U) << verdicts_markdown(report);
}

}  // namespace
}  // namespace trainyard
