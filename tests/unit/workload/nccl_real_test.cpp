// Every measured log of the reference data, against its index and against rows cut out by others.
#include "base/text.hpp"
#include "config/section.hpp"
#include "files.hpp"
#include "workload/importers/nccl/sweep.hpp"

#include <gtest/gtest.h>

#include <map>

namespace trainyard {
namespace {

using testing::reference_path;

std::vector<std::vector<std::string>> table_of(const std::string& file) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(read_file(file), '\n'))
    if (!line.empty()) rows.push_back(split(line, ','));
  rows.erase(rows.begin());
  return rows;
}

const NcclSweep* sweep_at(const NcclLog& log, const std::string& line) {
  for (const NcclSweep& sweep : log.sweeps)
    if (line.empty() || std::to_string(sweep.line) == line) return &sweep;
  return nullptr;
}

TEST(RealNcclLogs, EveryFileOfTheIndexHasItsOperationRanksAndNodes) {
  const std::string index = reference_path("collectives/INDEX.csv");
  TRAINYARD_NEEDS(index);
  for (const auto& row : table_of(index)) {
    SCOPED_TRACE(row[0] + ":" + row[1]);
    NcclLog log = read_nccl_log(reference_path("collectives/" + row[0]));
    EXPECT_TRUE(log.warnings.empty()) << log.warnings[0];
    const NcclSweep* sweep = sweep_at(log, row[1]);
    ASSERT_NE(sweep, nullptr);
    EXPECT_EQ(sweep->operation->name, row[2]);
    EXPECT_TRUE(sweep->ranks == 0 || std::to_string(sweep->ranks) == row[3]) << sweep->ranks;
    EXPECT_TRUE(sweep->nodes == 0 || std::to_string(sweep->nodes) == row[4]) << sweep->nodes;
  }
}

TEST(RealNcclLogs, EveryRowIsTheOneThatOthersCutOut) {
  const std::string blocks = reference_path("collectives/nccl_blocks.csv");
  TRAINYARD_NEEDS(blocks);
  std::map<std::pair<std::string, std::string>, std::vector<std::vector<std::string>>> expected;
  for (const auto& row : table_of(blocks)) expected[{row[0], row[1]}].push_back(row);
  EXPECT_EQ(expected.size(), 19U);
  for (const auto& [key, rows] : expected) {
    SCOPED_TRACE(key.first + ":" + key.second);
    const NcclLog log = read_nccl_log(reference_path("collectives/" + key.first));
    const NcclSweep* sweep = sweep_at(log, key.second);
    ASSERT_NE(sweep, nullptr);
    ASSERT_EQ(sweep->rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(std::to_string(sweep->rows[i].size.count()), rows[i][4]);
      EXPECT_EQ(sweep->rows[i].time, microseconds(*parse_double(rows[i][8])));
      EXPECT_EQ(sweep->rows[i].in_place, microseconds(*parse_double(rows[i][11])));
    }
  }
}

TEST(RealNcclLogs, TheCsvOfCutRowsIsReadAsTheLogsItCameFrom) {
  const std::string blocks = reference_path("collectives/nccl_blocks.csv");
  TRAINYARD_NEEDS(blocks);
  const NcclLog log = read_nccl_log(blocks);
  EXPECT_EQ(log.sweeps.size(), 19U);
  std::size_t rows = 0;
  for (const NcclSweep& sweep : log.sweeps) rows += sweep.rows.size();
  EXPECT_EQ(rows, 517U);
  for (const NcclSweep& sweep : log.sweeps) {
    const bool is_reduce = sweep.file.find("nccl_reduce") != std::string::npos;
    EXPECT_EQ(sweep.operation->name == std::string("reduce"), is_reduce)
        << "its op_guess says all_reduce";
  }
}

TEST(RealNcclLogs, AResultPageOfBusBandwidthsIsOneSweepOf24Sizes) {
  const std::string file = reference_path("collectives/azure-ND_H100_v5_results.md");
  TRAINYARD_NEEDS(file);
  NcclLog log = read_nccl_log(file);
  ASSERT_EQ(log.sweeps.size(), 1U);
  EXPECT_EQ(log.sweeps[0].rows.size(), 24U);
  EXPECT_TRUE(log.sweeps[0].in_place_only);
  EXPECT_EQ(log.sweeps[0].rows.back().size, gibibytes(8));
  EXPECT_EQ(log.sweeps[0].rows.back().busbw, 478.87);
}

TEST(RealNcclLogs, PyTorchsBenchOn64RanksTakes1160Milliseconds) {
  const std::string file = reference_path("collectives/jeanzay-n16_32gb_all_reduce_bench.txt");
  TRAINYARD_NEEDS(file);
  NcclLog log = read_nccl_log(file);
  ASSERT_EQ(log.sweeps.size(), 1U);
  EXPECT_EQ(log.sweeps[0].ranks, 64);
  EXPECT_EQ(log.sweeps[0].nodes, 16);
  EXPECT_EQ(log.sweeps[0].rows[0].size, bytes(4'000'000'000));
}

TEST(RealNcclLogs, ATableOfPayloadsImpliesIts32Ranks) {
  const std::string file = reference_path("collectives/mleng-network-benchmarks.README.md");
  TRAINYARD_NEEDS(file);
  const NcclLog log = read_nccl_log(file);
  ASSERT_GE(log.sweeps.size(), 1U);
  EXPECT_EQ(log.sweeps[0].ranks, 32);
  EXPECT_EQ(log.sweeps[0].rows.size(), 20U);
  EXPECT_EQ(log.sweeps[0].rows[0].size, kibibytes(32));
}

}  // namespace
}  // namespace trainyard
