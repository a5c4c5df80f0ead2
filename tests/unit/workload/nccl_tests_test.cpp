// Our own small logs: what is read, what is skipped and why, what is deduced.
#include "base/error.hpp"
#include "files.hpp"
#include "workload/importers/nccl/foreign.hpp"
#include "workload/importers/nccl/row.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::source_path;
using testing::TemporaryFile;

NcclLog log_of(const std::string& name) {
  return read_nccl_log(source_path("tests/data/nccl/" + name));
}

TEST(NcclLogs, AreReadBehindPrefixesAndTheirMessyLinesNamed) {
  const NcclLog log = log_of("messy.log");
  ASSERT_EQ(log.sweeps.size(), 1U);
  const NcclSweep& sweep = log.sweeps[0];
  EXPECT_STREQ(sweep.operation->name, "all_reduce");
  EXPECT_EQ(sweep.ranks, 16);
  EXPECT_EQ(sweep.nodes, 2);
  EXPECT_EQ(sweep.gpu, "NVIDIA Example GPU");
  EXPECT_EQ(sweep.line, 13);
  ASSERT_EQ(sweep.rows.size(), 2U);
  EXPECT_EQ(sweep.rows[0].size, mebibytes(1));
  EXPECT_EQ(sweep.rows[0].time, microseconds(39.66));
  EXPECT_EQ(sweep.rows[0].in_place, microseconds(40.66));
  EXPECT_EQ(sweep.rows[1].size, mebibytes(8));
  EXPECT_THAT(log.warnings,
              ElementsAre(HasSubstr("messy.log:15: time, algbw and busbw cannot be read; skipped"),
                          HasSubstr("messy.log:16: algbw 84.52 is not size / time = 42.52 GB/s")));
}

TEST(NcclLogs, MarkdownTablesOfBusBandwidthGiveTimesOnceTheRanksAreKnown) {
  NcclLog log = log_of("page.md");
  ASSERT_EQ(log.sweeps.size(), 1U);
  NcclSweep& sweep = log.sweeps[0];
  EXPECT_STREQ(sweep.operation->name, "all_gather");
  EXPECT_TRUE(sweep.in_place_only);
  EXPECT_EQ(sweep.ranks, 0);
  EXPECT_THROW(settle(sweep, 0, 0), InputError);
  settle(sweep, 8, 1);
  ASSERT_EQ(sweep.rows.size(), 4U);
  EXPECT_EQ(sweep.rows[1].size, kibibytes(128));
  EXPECT_EQ(sweep.rows[2].size, mebibytes(32));
  EXPECT_DOUBLE_EQ(in_seconds(sweep.rows[3].time), 7.0 / 8 * double(1U << 30) / 200e9);
}

TEST(NcclLogs, AFileWithoutRowsIsAnError) {
  const TemporaryFile file("empty.log", "# nThread 1 nGpus 8\nnothing to see\n");
  EXPECT_THROW(read_nccl_log(file.path()), InputError);
}

TEST(NcclLogs, WhatNcclTestsPrintsIsReadBackAsItWas) {
  const NcclOperation& reduce_scatter = *find_nccl_operation("reduce_scatter");
  std::string text = nccl_table_header();
  NcclRow row;
  row.size = mebibytes(64);
  row.time = microseconds(1234.5);
  row.in_place = microseconds(1240);
  text += nccl_table_row(reduce_scatter, 16, row) + "\n";
  const TemporaryFile file("again.log", text);
  const NcclLog log = read_nccl_log(file.path());
  ASSERT_EQ(log.sweeps.size(), 1U);
  EXPECT_EQ(log.sweeps[0].operation, &reduce_scatter);
  EXPECT_EQ(log.sweeps[0].ranks, 16);
  EXPECT_EQ(log.sweeps[0].rows[0].time, row.time);
  EXPECT_EQ(log.sweeps[0].rows[0].in_place, row.in_place);
}

TEST(NcclLogs, ATypeThatIsCutLeavesTheRowOut) {
  std::string problem;
  EXPECT_FALSE(parse_nccl_row(words("8 2 7 sum -1 1.0 0.0 0.0 0"), true, problem));
  EXPECT_EQ(problem, "type '7' is no type");
}

TEST(SizeLabels, AreExactWithAnIAndOtherwiseTheNearestPowerOfTwo) {
  EXPECT_EQ(size_label("65K"), kibibytes(64));
  EXPECT_EQ(size_label("132K"), kibibytes(128));
  EXPECT_EQ(size_label("536M"), mebibytes(512));
  EXPECT_EQ(size_label("8G"), gibibytes(8));
  EXPECT_EQ(size_label("3MiB"), mebibytes(3));
  EXPECT_EQ(size_label("0.5KiB"), bytes(512));
  EXPECT_EQ(size_label("m"), bytes(0));
}

TEST(BusFactors, AreThoseOfNcclTests) {
  EXPECT_DOUBLE_EQ(bus_factor(*find_nccl_operation("all_reduce"), 8), 2 * 7.0 / 8);
  EXPECT_DOUBLE_EQ(bus_factor(*find_nccl_operation("all_to_all"), 8), 7.0 / 8);
  EXPECT_DOUBLE_EQ(bus_factor(*find_nccl_operation("reduce"), 8), 1);
  EXPECT_EQ(nccl_operation_of(CollectiveKind::SendRecv), find_nccl_operation("sendrecv"));
}

}  // namespace
}  // namespace trainyard
