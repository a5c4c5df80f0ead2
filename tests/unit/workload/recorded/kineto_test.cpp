// PyTorch's profiles: a step small enough to work out by hand, and profiles that others recorded.
#include "base/error.hpp"
#include "unit/workload/files.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/recorded/summary.hpp"
#include "workload/importers/trace_formats.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

std::string launch(int correlation, double at_us) {
  return R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" +
         std::to_string(at_us) + R"(,"dur":1,"args":{"correlation":)" +
         std::to_string(correlation) + "}},";
}

std::string kernel(int correlation, const std::string& name, int stream, double start_us,
                   double duration_us, const std::string& arguments = "") {
  return R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":)" +
         std::to_string(stream) + R"(,"ts":)" + std::to_string(start_us) + R"(,"dur":)" +
         std::to_string(duration_us) + R"(,"args":{"device":0,"stream":)" + std::to_string(stream) +
         R"(,"correlation":)" + std::to_string(correlation) + arguments + "}},";
}

const std::string kAllReduce =
    R"(,"Collective name":"allreduce","In msg nelems":1000,"Out msg nelems":1000,"Group size":2,)"
    R"("dtype":"BFloat16","Process Group Name":"7","Process Group Ranks":"[0, 1]")";

std::string profile(int rank, const std::string& events) {
  return R"({"schemaVersion":1,"distributedInfo":{"rank":)" + std::to_string(rank) +
         R"(,"world_size":2},"traceEvents":[)" + events +
         R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,)"
         R"("dur":1000,"args":{}}]})";
}

// Compute a (0-100), the all-reduce launched after it (100-160), compute b launched at once but
// waiting for the all-reduce (165-200), compute c launched late (230-240).
std::string events() {
  return launch(1, 0) + launch(2, 10) + launch(3, 20) + launch(4, 225) + kernel(1, "a", 7, 0, 100) +
         kernel(2, "ncclDevKernel_AllReduce", 20, 100, 60, kAllReduce) +
         kernel(3, "b", 7, 165, 35) + kernel(4, "c", 7, 230, 10);
}

RecordedStep read_profiles(const std::string& first, const std::string& second = "") {
  const TemporaryFile zero("profile_0.json", first), one("profile_1.json", second);
  RecordedOptions options;
  options.files = {zero.path()};
  if (!second.empty()) options.files.push_back(one.path());
  return read_recorded(options, "");
}

TEST(Kineto, TheCollectiveWaitsForWhatWasLaunchedBeforeItAndIsWaitedFor) {
  const RecordedStep step = read_profiles(profile(0, events()), profile(1, events()));
  const JobProgram job = sound_job(step);
  ASSERT_EQ(job.programs.size(), 1U);
  const std::vector<Operation>& o = job.programs[0].operations;
  std::vector<std::string> names;
  for (const Operation& operation : o) names.push_back(operation.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "ncclDevKernel_AllReduce", "launch gap", "b",
                                             "launch gap", "c"}));
  EXPECT_EQ(o[1].after, std::vector<int>{0});
  EXPECT_EQ(o[1].size, bytes(1000 * 2));  // bfloat16
  EXPECT_EQ(o[1].collective, CollectiveKind::AllReduce);
  EXPECT_EQ(o[2].after, std::vector<int>{1});
  EXPECT_NEAR(in_microseconds(o[2].duration), 165 - 160, 1e-9);
  EXPECT_NEAR(in_microseconds(o[4].duration), 230 - 200, 1e-9);
  EXPECT_EQ(o[4].purpose, Operation::Purpose::LaunchGap);
  EXPECT_NE(o[0].stream, o[1].stream);
}

TEST(Kineto, PlayedOneAfterAnotherTheOperationsTakeTheRecordedTime) {
  const RecordedStep step = read_profiles(profile(0, events()));
  std::vector<Seconds> end;
  std::map<int, Seconds> stream;
  Seconds last;
  for (const RecordedOperation& recorded : step.ranks[0].operations) {
    Seconds start = stream[recorded.operation.stream];
    for (const int before : recorded.operation.after)
      start = std::max(start, end[static_cast<std::size_t>(before)]);
    const bool wire = recorded.operation.kind == Operation::Kind::Communicate;
    end.push_back(start + (wire ? recorded.duration : recorded.operation.duration));
    last = stream[recorded.operation.stream] = end.back();
  }
  EXPECT_NEAR(in_microseconds(last), 240, 1e-9);
}

// Launched before the step (at -50) and still running when it begins: not the step's launch gap.
TEST(Kineto, WhatTheGpuStillDoesOfTheStepBeforeIsNoLaunchGap) {
  const std::string backlog = launch(9, -50) + kernel(9, "before", 7, -40, 60);
  const std::string first = launch(1, 5) + kernel(1, "a", 7, 20, 100);
  const std::string late = launch(1, 24) + kernel(1, "a", 7, 26, 100);
  EXPECT_EQ(read_profiles(profile(0, backlog + first)).ranks[0].operations.size(), 1U);
  const RecordedStep step = read_profiles(profile(0, backlog + late));
  ASSERT_EQ(step.ranks[0].operations.size(), 2U);
  EXPECT_NEAR(in_microseconds(step.ranks[0].operations[0].operation.duration), 26 - 20, 1e-9);
}

TEST(Kineto, AStepWhoseGpuStandsIdleIsLaunchBound) {
  const RankSummary summary = summary_of(read_profiles(profile(0, events())).ranks[0]);
  EXPECT_NEAR(in_microseconds(summary.span), 240, 1e-9);
  EXPECT_NEAR(in_microseconds(summary.idle), 5 + 30, 1e-9);
  EXPECT_TRUE(summary.launch_bound());  // 35 of 240
  const std::string busy = launch(1, 0) + kernel(1, "a", 7, 0, 100);
  EXPECT_FALSE(summary_of(read_profiles(profile(0, busy)).ranks[0]).launch_bound());
}

TEST(Kineto, ARankWithoutAProfileIsSaidAndMayBeTakenToBeAlike) {
  RecordedStep step = read_profiles(profile(0, events()));
  EXPECT_EQ(step.notes.back(), "profiles of 1 rank of 2");
  EXPECT_THROW(sound_job(step), InputError);
  fill_alike(step);
  EXPECT_EQ(sound_job(step).programs.size(), 1U);
}

TEST(Kineto, ACollectiveOfUnknownBytesKeepsItsTimeAndIsWarnedOf) {
  const std::string unknown = launch(1, 0) + kernel(1, "ncclKernel_SendRecv", 20, 5, 60);
  const RecordedStep step = read_profiles(profile(0, unknown));
  ASSERT_EQ(step.findings.size(), 1U);
  EXPECT_EQ(step.findings[0].severity, LintFinding::Severity::Warning);
  EXPECT_EQ(step.findings[0].rule, "unknown collective");
  const Operation& o = step.ranks[0].operations.back().operation;
  EXPECT_EQ(o.kind, Operation::Kind::Compute);
  EXPECT_NEAR(in_microseconds(o.duration), 60, 1e-9);
}

TEST(Kineto, MistakesAreNamedByEventOrLine) {
  const auto refusal = [](const std::string& text) {
    const TemporaryFile file("profile_0.json", text);
    RecordedOptions options;
    options.files = {file.path()};
    try {
      read_recorded(options, "kineto");
    } catch (const InputError& error) {
      return std::string(error.what()).substr(file.path().size() + 1);
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal(profile(0, kernel(1, "a", 7, 0, -3))), " event 0: a duration below 0");
  EXPECT_EQ(refusal(profile(0, "")), " holds no kernels: not a profile of a GPU");
  EXPECT_EQ(refusal("{}"), " holds no trace events: neither a list nor \"traceEvents\"");
  EXPECT_EQ(refusal("{\"traceEvents\": [{]}").substr(0, 28), "1:19: no valid JSON: syntax ");
  EXPECT_EQ(refusal("[7]"), " event 0: an event is an object, not '7'");
}

TEST(Kineto, TwoProfilesOfOneRankAreRefused) {
  EXPECT_THROW(read_profiles(profile(0, events()), profile(0, events())), InputError);
}

// ---- The same ResNet-50 step of two GPUs, as three sources recorded it ----

struct Source {
  const char* path;
  std::int64_t steps;
};

TEST(RealProfiles, TheCollectivesOfAStepAreTheSameInProfileAndExecutionTrace) {
  // 5 all-reduces of the gradients: 25,557,032 fp32 parameters of ResNet-50; 2 broadcasts of the
  // batch norms' buffers (53,120 fp32 and 53 int64).
  for (const Source& source : {Source{"hta-nccl_parser_config-nccl_data.json.gz", 1},
                               Source{"chakra-hoti24-pytorch_et", 1},
                               Source{"param-1.1.0-chakra.0.0.4-resnet_2gpu_et.json.gz", 3}}) {
    const std::string path = reference_path("training/" + std::string(source.path));
    TRAINYARD_NEEDS(reference_path("training"));
    RecordedOptions options;
    options.files = {path};
    const std::vector<Traffic> traffic = traffic_of(assemble(read_recorded(options, "")));
    ASSERT_EQ(traffic.size(), 2U) << path;
    EXPECT_EQ(traffic[0].kind, CollectiveKind::AllReduce);
    EXPECT_EQ(traffic[0].count, 5 * source.steps);
    EXPECT_EQ(traffic[0].bytes, source.steps * bytes(25'557'032 * 4));
    EXPECT_EQ(traffic[1].kind, CollectiveKind::Broadcast);
    EXPECT_EQ(traffic[1].bytes, source.steps * bytes(53'120 * 4 + 53 * 8));
  }
}

TEST(RealProfiles, OneOf128RanksWithoutSizesIsReadAndWarnedOf) {
  const std::string file = reference_path("training/hta-trace_filter-sampled_rank-1.json.gz");
  TRAINYARD_NEEDS(file);
  RecordedOptions options;
  options.files = {file};
  const RecordedStep step = read_recorded(options, "");
  EXPECT_EQ(step.ranks.size(), 128U);
  EXPECT_EQ(step.findings.size(), 5U);  // ncclKernel_SendRecv without arguments, of the step
  EXPECT_TRUE(summary_of(step.ranks[1]).launch_bound());
}

}  // namespace
}  // namespace trainyard
