#include "report/answer.hpp"
#include "report/fingerprint.hpp"
#include "report/metrics.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trainyard {
namespace {

using Json = nlohmann::ordered_json;

Json summary_of(const EventLog& log) {
  return Json::parse(written(write_summary_json, small_platform(), log));
}

TEST(LinksCsv, SaysHowMuchOfItsBandwidthALinkUsed) {
  // 1e12 bytes in 100 s on 50e9 bytes per second: a fifth.
  EXPECT_EQ(written(write_links_csv, small_platform(), small_log()),
            "link,class,level,bandwidth_Bps,bytes_B,utilisation,saturated_s\n"
            "leaf0/spine0/up," +
                std::string(to_string(LinkClass::Fabric)) + ",1,5e+10,1e+12,0.2,30\n");
}

TEST(LinksCsv, OfARunThatTookNoTimeHasNoUtilisation) {
  EventLog log;
  log.links = {{LinkId{0}, 0, Seconds{}}};
  const auto rows = read_csv(written(write_links_csv, small_platform(), log));
  EXPECT_EQ(rows.at(0).at("utilisation"), "");
}

TEST(IterationsCsv, HasEveryFieldWithItsUnit) {
  EXPECT_EQ(
      written(write_iterations_csv, small_platform(), small_log()),
      "job,attempt,first_step,steps,start_s,duration_s,isolated_s,analytic_s,fabric_s,slow_gpu_s,"
      "slow_gpu,"
      "slow_link_s,slow_link,failed_link_s,failed_link,variation_s,contention_s,rivals,rival_link,"
      "jumped\n"
      "alpha,0,0,1,10,1.5,1.25,1.25,0,0,,0,,0,,0,0.25,beta 1.00,leaf0/spine0/up,0\n");
}

TEST(LedgerCsv, SharesSumToOne) {
  double shares = 0;
  for (const auto& row : read_csv(written(write_ledger_csv, small_platform(), small_log())))
    shares += std::stod(row.at("share"));
  EXPECT_NEAR(shares, 1, 1e-12);
}

TEST(SummaryJson, HoldsEveryMetricInTheTablesOrder) {
  const Json summary = summary_of(small_log());
  auto entry = metrics().begin();
  for (const auto& [name, value] : summary["metrics"].items()) EXPECT_EQ(name, (entry++)->name);
  EXPECT_EQ(entry, metrics().end());
  EXPECT_EQ(summary["metrics"]["mean_wait_s"], 5);
  EXPECT_EQ(summary["ledger_gpu_s"]["lost"], 20);
  EXPECT_EQ(summary["facts"]["policy"], "fifo");
  EXPECT_EQ(summary["counts"]["dropped_lines"], 3);
  EXPECT_EQ(summary["platform"]["gpus"], 8);
  EXPECT_EQ(summary["warnings"][0], "a warning");
  EXPECT_EQ(summary["fingerprint"], hexadecimal(fingerprint(small_log())));
}

TEST(SummaryJson, SaysHowMuchWasJumpedOver) {
  EventLog log = small_log();
  log.compression = {100, 900, 3, 1, seconds(12.5)};
  EXPECT_EQ(summary_of(log)["compression"].dump(),
            R"({"steps_simulated":100,"steps_jumped":900,"jumps":3,"capped_jumps":1,)"
            R"("jumped_time_s":12.5})");
}

TEST(SummaryJson, OfAnEmptyRunHasNullsAndNoNan) {
  const std::string text = written(write_summary_json, small_platform(), {});
  EXPECT_TRUE(Json::parse(text)["metrics"]["mean_wait_s"].is_null());
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(SummaryJson, ReplacesBytesThatAreNotUtf8) {
  EventLog log = small_log();
  log.warnings = {"job \"\xff\""};
  EXPECT_EQ(summary_of(log)["warnings"][0], "job \"\xef\xbf\xbd\"");
}

TEST(Fingerprint, FollowsTheTrajectoryAndNotTheNames) {
  const std::uint64_t before = fingerprint(small_log());
  EventLog renamed = small_log();
  renamed.jobs[0].name = "another";
  renamed.warnings.clear();
  EXPECT_EQ(fingerprint(renamed), before);
  EventLog later = small_log();
  later.attempts[1].start += nanoseconds(1);
  EXPECT_NE(fingerprint(later), before);
  EventLog elsewhere = small_log();
  elsewhere.attempts[1].allocation.gpus[0] = GpuId{7};
  EXPECT_NE(fingerprint(elsewhere), before);
}

TEST(Fingerprint, IsSixteenHexadecimalDigits) {
  EXPECT_EQ(hexadecimal(0), "0000000000000000");
  EXPECT_EQ(hexadecimal(0xfedcba9876543210ULL), "fedcba9876543210");
}

TEST(RunLog, TellsTheRunInTheOrderOfTime) {
  EXPECT_EQ(written(write_run_log, small_platform(), small_log()),
            "0.000000 s  alpha submitted: 4 GPUs\n"
            "5.000000 s  beta submitted: 2 GPUs\n"
            "5.000000 s  beta started, attempt 0, on 2 GPUs of 1 node (2)\n"
            "10.000000 s  alpha started, attempt 0, on 4 GPUs of 2 nodes (0-1)\n"
            "25.000000 s  node node2 down\n"
            "25.000000 s  beta ended NODE_FAIL after 20 s: node2 failed\n"
            "40.000000 s  beta started, attempt 1, on 2 GPUs of 1 node (3)\n"
            "50.000000 s  gamma submitted: 8 GPUs\n"
            "60.000000 s  alpha ended COMPLETED after 50 s\n"
            "80.000000 s  beta ended COMPLETED after 40 s\n"
            "90.000000 s  node node2 up\n"
            "100.000000 s  end of the run\n"
            "warning: a warning\n");
}

Json trace_of(const EventLog& log) {
  return Json::parse(written(write_trace_json, small_platform(), log))["traceEvents"];
}

TEST(TraceJson, NamesItsProcessesAndTracksFirst) {
  const Json events = trace_of(small_log());
  std::string names, phases;
  for (const Json& event : events) {
    phases += event["ph"].get<std::string>();
    if (event["name"] == "process_name") names += event["args"]["name"].get<std::string>() + " ";
  }
  EXPECT_EQ(names, "alpha beta failures ");  // gamma did nothing
  EXPECT_EQ(phases.find('M', phases.find('X')), std::string::npos);
}

TEST(TraceJson, HasEveryAttemptSpanAndOutageInTheOrderOfTime) {
  double last = 0;
  std::string names;
  for (const Json& event : trace_of(small_log())) {
    if (event["ph"] != "X") continue;
    EXPECT_GE(event["ts"].get<double>(), last);
    EXPECT_GE(event["dur"].get<double>(), 0);
    last = event["ts"].get<double>();
    names += event["name"].get<std::string>() + "; ";
  }
  EXPECT_EQ(names, "attempt 0; attempt 0; step 0; checkpoint; node2 down; attempt 1; ");
}

TEST(TraceJson, DescribesAnAttemptInItsArguments) {
  for (const Json& event : trace_of(small_log()))
    if (event["ph"] == "X" && event["pid"] == 1 && event["cat"] == "attempt") {
      EXPECT_EQ(event["args"].dump(), R"({"nodes":"0-1","gpus":4,"state":"COMPLETED","cause":""})");
      EXPECT_EQ(event["ts"], 10e6);
      EXPECT_EQ(event["dur"], 50e6);
      return;
    }
  FAIL() << "no attempt of alpha";
}

TEST(TraceJson, WritesNanosecondsOfALongRunExactly) {
  EventLog log = small_log();
  log.spans = {{JobId{0}, 0, "step 1", seconds(31536000.5), seconds(31536001.75)}};  // a year
  const std::string text = written(write_trace_json, small_platform(), log);
  EXPECT_NE(text.find("\"ts\":31536000500000.000,\"dur\":1250000.000"), std::string::npos);
}

TEST(TraceJson, EscapesNamesAndReplacesForeignBytes) {
  EventLog log = small_log();
  log.jobs[0].name = "a \"b\"\n\xff";
  bool found = false;
  for (const Json& event : trace_of(log))
    if (event["name"] == "process_name")
      found = found || event["args"]["name"] == "a \"b\"\n\xef\xbf\xbd";
  EXPECT_TRUE(found);
}

TEST(TraceJson, OfAnEmptyRunIsAnEmptyList) { EXPECT_TRUE(trace_of({}).empty()); }

}  // namespace
}  // namespace trainyard
