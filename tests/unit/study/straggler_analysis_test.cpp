// What-if replays of recorded steps: a pipeline small enough to work out by hand, and ByteDance's
// published results for its published traces.
#include "study/whatif/straggler_analysis.hpp"

#include "base/error.hpp"
#include "unit/workload/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

namespace trainyard {
namespace {

using testing::reference_path;
using Op = StragglerOp;

constexpr double kForward = 1, kBackward = 2, kTransfer = 0.25, kOptimizer = 0.5;

// Two stages, two micro-batches, 1F1B, `data_ranks` data ranks and one step:
//   stage 0:  F0 F1 .. B0 .. B1 clip optimizer
//   stage 1:  .. F0 B0 F1 B1 .. clip optimizer
// Starts only have to tell the order.
StragglerTimeline two_stages(int data_ranks, const std::function<double(int, int)>& factor) {
  StragglerTimeline timeline;
  timeline.dp_ranks = data_ranks;
  timeline.stages = 2;
  timeline.steps = {7};
  for (int dp = 0; dp < data_ranks; ++dp) {
    timeline.ranks.push_back({dp, data_ranks + dp});
    const auto add = [&](Op type, int stage, int sequence, double start, double duration) {
      const bool transfer = type >= Op::ForwardSend && type <= Op::BackwardRecv;
      timeline.operations.push_back({type, 7, dp, stage, sequence, 0, seconds(start),
                                     seconds(duration * (transfer ? 1 : factor(dp, stage)))});
    };
    for (int stage = 0; stage < 2; ++stage) {
      const double forward[2][2] = {{0, 1}, {2, 5}}, backward[2][2] = {{6, 10}, {3, 7}};
      for (int i = 0; i < 2; ++i) add(Op::ForwardCompute, stage, i, forward[stage][i], kForward);
      for (int i = 0; i < 2; ++i) add(Op::BackwardCompute, stage, i, backward[stage][i], kBackward);
      for (int i = 0; i < 2; ++i) {
        const double sent = forward[0][i] + kForward, back = backward[1][i] + kBackward;
        add(stage == 0 ? Op::ForwardSend : Op::ForwardRecv, stage, i, sent, kTransfer);
        add(stage == 0 ? Op::BackwardRecv : Op::BackwardSend, stage, i, back, kTransfer);
      }
      add(Op::OptimizerClipMainGrad, stage, 0, 12, 0);
      add(Op::Optimizer, stage, 0, 12, kOptimizer);
    }
  }
  return timeline;
}

// The critical path: into stage 1, everything there, back to stage 0 for its last backward; then
// the optimizer of the slower stage.
double step(double first_stage, double second_stage) {
  return first_stage * kForward + kTransfer + second_stage * 2 * (kForward + kBackward) +
         kTransfer + first_stage * kBackward + std::max(first_stage, second_stage) * kOptimizer;
}

TEST(Stragglers, AJobWhoseRanksAreAlikeHasNone) {
  const auto result = analyse_stragglers(two_stages(2, [](int, int) { return 1; }), "timeline");
  EXPECT_DOUBLE_EQ(in_seconds(result.original), step(1, 1));
  EXPECT_DOUBLE_EQ(result.slowdown, 1);
  EXPECT_DOUBLE_EQ(result.worst_ranks, 0);
}

TEST(Stragglers, TheIdealGivesEveryComputationItsMean) {
  const double x = 0.4;  // one of four ranks computes for 1 + x of its time
  const auto factor = [&](int dp, int stage) { return dp == 1 && stage == 1 ? 1 + x : 1; };
  const auto result = analyse_stragglers(two_stages(2, factor), "timeline");
  EXPECT_NEAR(in_seconds(result.ideal), step(1 + x / 4, 1 + x / 4), 1e-12);
  EXPECT_NEAR(in_seconds(result.original), step(1, 1 + x), 1e-12);
  EXPECT_NEAR(result.slowdown, step(1, 1 + x) / step(1 + x / 4, 1 + x / 4), 1e-12);
  // Data rank 1 holds the slow rank; alone it is as slow as the job, with the means elsewhere.
  EXPECT_NEAR(result.by_data_rank[1].slowdown, step(1, 1 + x) / step(1 + x / 4, 1 + x / 4), 1e-12);
  EXPECT_NEAR(result.by_stage[0].slowdown, step(1, 1 + x / 4) / step(1 + x / 4, 1 + x / 4), 1e-12);
}

TEST(Stragglers, TheSlowRankIsFoundAndExplainsTheSlowdown) {
  const auto factor = [](int dp, int stage) { return dp == 1 && stage == 1 ? 1.5 : 1; };
  const auto result = analyse_stragglers(two_stages(4, factor), "timeline");
  EXPECT_EQ(result.workers.front().dp_rank, 1);
  EXPECT_EQ(result.workers.front().stage, 1);
  EXPECT_EQ(result.worst, 1u);  // ceil(3 % of 8)
  EXPECT_GT(result.worst_ranks, 0.95);
}

TEST(Stragglers, ASendWithoutAReceiveIsRefusedWithStepAndStage) {
  StragglerTimeline timeline = two_stages(1, [](int, int) { return 1; });
  timeline.operations.erase(
      std::remove_if(timeline.operations.begin(), timeline.operations.end(),
                     [](const TimelineOperation& o) { return o.type == Op::ForwardRecv; }),
      timeline.operations.end());
  try {
    analyse_stragglers(timeline, "timeline.json");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "timeline.json: step 7, stage 0: 2 of forward-send, but 0 of forward-recv in "
                 "stage 1");
  }
}

// ---- ByteDance's own results, read from the files beside the traces ----

nlohmann::json published(const std::string& what, const std::string& trace) {
  std::ifstream file(
      reference_path("training/bytedance-straggler/" + what + "-" + trace + ".json"));
  return nlohmann::json::parse(file);
}

constexpr double kThirdDecimal = 5e-4;

void expect_parts(const std::vector<StragglerPart>& parts, const nlohmann::json& expected,
                  const std::string& prefix) {
  ASSERT_EQ(parts.size(), expected.size());
  for (const StragglerPart& part : parts)
    EXPECT_NEAR(part.slowdown, expected.at(part.name.substr(prefix.size())).get<double>(),
                kThirdDecimal)
        << part.name;
}

class StragglersOfByteDance : public ::testing::TestWithParam<const char*> {};

TEST_P(StragglersOfByteDance, AreAsPublishedToThreeDecimals) {
  const std::string trace = GetParam();
  const std::string file =
      reference_path("training/bytedance-straggler/timeline-" + trace + ".json.gz");
  TRAINYARD_NEEDS(file);
  const auto analysis = analyse_stragglers(read_straggler_timeline(file), file);
  const nlohmann::json worst = published("mw", trace), result = published("result", trace);
  EXPECT_NEAR(in_seconds(analysis.original), worst.at("tori").get<double>(), kThirdDecimal);
  EXPECT_NEAR(in_seconds(analysis.ideal), worst.at("tideal").get<double>(), kThirdDecimal);
  EXPECT_NEAR(analysis.worst_ranks, worst.at("Mw").get<double>(), kThirdDecimal);
  EXPECT_NEAR(analysis.last_stage, published("ms", trace).at("Ms").get<double>(), kThirdDecimal);
  EXPECT_NEAR(analysis.slowdown, result.at("blocking_slowdown").get<double>(), kThirdDecimal);
  expect_parts(analysis.by_data_rank, result.at("blocking_decompose_by_dp_rank"), "data rank ");
  expect_parts(analysis.by_stage, result.at("blocking_decompose_by_stage"), "stage ");
  expect_parts(analysis.by_type, result.at("blocking_decompose_by_optype"), "");
}

INSTANTIATE_TEST_SUITE_P(Traces, StragglersOfByteDance, ::testing::Values("AR", "ST"));

TEST(StragglerTimeline, ParquetIsRefusedAndTheTimelineIsNamed) {
  const std::string file = reference_path("training/bytedance-straggler/trace-ST.parquet");
  TRAINYARD_NEEDS(file);
  EXPECT_THROW(read_straggler_timeline(file), InputError);
}

// ---- Timelines that are wrong, each with its event ----

const char* const kThreadName =
    R"({"ph":"M","name":"thread_name","pid":0,"tid":0,"args":{"name":"PP rank 0, TP rank 0, x"}})";

std::string refusal_of(const std::string& event, const std::string& thread = kThreadName) {
  const testing::TemporaryFile file("t.json", "[" + event + "," + thread + "]");
  try {
    read_straggler_timeline(file.path());
  } catch (const InputError& error) {
    return std::string(error.what()).substr(file.path().size() + 2);
  }
  return "accepted";
}

TEST(StragglerTimeline, MistakesAreNamedByEvent) {
  const std::string good =
      R"({"ph":"X","name":"gc","pid":0,"tid":0,"ts":1,"dur":2,"args":{"step":1,"seq_id":0}})";
  EXPECT_EQ(refusal_of(good), "accepted");
  EXPECT_EQ(refusal_of(R"({"ph":"X","name":"gcc","pid":0,"tid":0,"args":{"step":1,"seq_id":0}})"),
            "event 0: unknown operation 'gcc'; did you mean 'gc'?");
  EXPECT_EQ(refusal_of(R"({"ph":"X","name":"gc","pid":0,"tid":"x","args":{}})"),
            "event 0: tid must be a whole number, got 'x'");
  EXPECT_EQ(refusal_of(R"({"ph":"X","name":"gc","pid":0,"tid":0,"ts":"soon"})"),
            "event 0.ts: must be a number of microseconds, got 'soon'");
  EXPECT_EQ(refusal_of(good, R"({"ph":"M","name":"thread_name","pid":0,"tid":0,"args":{}})"),
            "event 1: a thread's name must begin 'PP rank <stage>,', got 'nothing'");
  EXPECT_EQ(refusal_of(good, good), "event 0: thread 0 of process 0 has no thread_name event");
}

}  // namespace
}  // namespace trainyard
