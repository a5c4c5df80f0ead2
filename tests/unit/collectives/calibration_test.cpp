// Laws: which one holds, what it says, and the file they are kept in.
#include "collectives/calibration.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace trainyard {
namespace {

CollectiveLaw law(int nodes, Bytes from, Bytes to, const std::string& algorithm = "ring") {
  CollectiveLaw made;
  made.algorithm = algorithm;
  made.nodes_from = made.nodes_to = nodes;
  made.from = from;
  made.to = to;
  return made;
}

TEST(CollectiveLaws, AreFoundByNodesAndNearestSize) {
  Calibration calibration;
  calibration.laws = {law(1, bytes(8), kibibytes(512)), law(1, mebibytes(1), gibibytes(1)),
                      law(4, mebibytes(1), gibibytes(1), "two_level")};
  const auto find = [&](int nodes, Bytes size, const std::string& algorithm = "") {
    return find_law(calibration, CollectiveKind::AllReduce, algorithm, nodes, size);
  };
  EXPECT_EQ(find(1, kibibytes(4)), &calibration.laws[0]);
  EXPECT_EQ(find(1, mebibytes(64)), &calibration.laws[1]);
  EXPECT_EQ(find(1, gibibytes(16)), &calibration.laws[1]);
  EXPECT_EQ(find(16, mebibytes(64)), &calibration.laws[2]) << "more than two nodes are one class";
  EXPECT_EQ(find(16, mebibytes(64), "ring"), nullptr);
  EXPECT_EQ(find(2, mebibytes(64)), nullptr);
  EXPECT_TRUE(is_inside(calibration.laws[2], 4, mebibytes(64)));
  EXPECT_FALSE(is_inside(calibration.laws[2], 16, mebibytes(64)));
  EXPECT_FALSE(is_inside(calibration.laws[2], 4, gibibytes(2)));
}

TEST(CollectiveLaws, AreAPipelinesTimeWithItsFillPaidOnceMore) {
  CollectiveLaw made;
  made.base = microseconds(30);
  made.per_step = microseconds(2);
  made.fill = microseconds(40);
  made.efficiency = 0.5;
  const double wire = 100e-6;
  const double square = std::pow(std::sqrt(wire / 0.5) + std::sqrt(40e-6), 2) - 40e-6;
  EXPECT_NEAR(in_seconds(law_time(made, microseconds(5), 7, Seconds(wire))),
              5e-6 + 30e-6 + 14e-6 + square, 1e-15);
}

TEST(CollectiveLaws, WithoutMeasurementsAreTheFastestOfNcclsProtocols) {
  const Collective collective{CollectiveKind::AllReduce, 8, mebibytes(1), 8};
  const auto at = [&](double wire_us) {
    return assumed_law(collective, "ring", 14, microseconds(wire_us));
  };
  EXPECT_EQ(at(1).per_step, microseconds(0.6)) << "LL: 6.6 + 14 x 0.6 = 15 us";
  EXPECT_EQ(at(30).per_step, microseconds(1.9)) << "LL128: 33.2 us";
  EXPECT_EQ(at(1e6).per_step, microseconds(3.4)) << "Simple: 56 us";
}

class CalibrationFile : public ::testing::Test {
protected:
  std::string file = (std::filesystem::temp_directory_path() /
                      ("trainyard_" + std::to_string(getpid()) + "_laws.csv"))
                         .string();
  ~CalibrationFile() override { std::filesystem::remove(file); }
  Calibration written(const std::string& text) const {
    std::ofstream(file) << text;
    return read_calibration(file);
  }
  std::string problem_of(const std::string& text) const {
    try {
      written(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(CalibrationFile, IsReadBackAsItWasWritten) {
  Calibration calibration;
  calibration.laws = {law(2, mebibytes(1), gibibytes(1))};
  calibration.laws[0].base = microseconds(12.5);
  calibration.laws[0].efficiency = 0.875;
  calibration.laws[0].loo_mean = 0.03;
  calibration.laws[0].source = "a log";
  const std::string text = to_csv(calibration);
  const Calibration again = written(text);
  EXPECT_EQ(again.label, "calibrated");
  EXPECT_EQ(to_csv(again), text);
}

TEST_F(CalibrationFile, ProblemsNameLineAndColumn) {
  Calibration calibration;
  calibration.laws = {law(2, mebibytes(1), gibibytes(1))};
  const std::string good = to_csv(calibration);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.rfind(from), from.size(), to);
  };
  using ::testing::EndsWith;
  EXPECT_THAT(problem_of(with("ring", "rin")),
              EndsWith(":2: algorithm: unknown algorithm 'rin'; did you mean 'ring'?"));
  EXPECT_THAT(problem_of(with("1.000000", "1.5")),
              EndsWith(":2: efficiency: must be a number from 1e-06 to 1, got '1.5'"));
  EXPECT_THAT(problem_of(good + "all_reduce,ring\n"), EndsWith(":3: expected 13 columns, found 2"));
  EXPECT_THAT(problem_of("size,time\n1,2\n"), ::testing::HasSubstr(":1: the first line must be"));
  EXPECT_THAT(problem_of("# nothing\n"), EndsWith("holds no law"));
}

}  // namespace
}  // namespace trainyard
