// Jobs that are suspended and go on: what that costs whom, against formulas.
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace {

constexpr double kNic = 50e9;  // bytes/s, of switch_platform()
constexpr double kLatency = 1e-6;
constexpr double kMebibyte = 1 << 20;
constexpr double kExact = 1e-9;

double ring(int ranks, double size, double bandwidth) {
  return 2 * (ranks - 1) * kLatency + 2.0 * (ranks - 1) / ranks * size / bandwidth;
}

// Starts every job on the GPUs it is told, and suspends and resumes by the clock.
class Script final : public SchedulingPolicy {
public:
  struct Line {
    double at;
    char what;  // 's'uspend, 'r'esume, 'p'reempt
    int job;
  };
  Script(std::map<int, std::vector<int>> gpus, std::vector<Line> lines)
      : gpus_(std::move(gpus)), lines_(std::move(lines)) {}

  std::vector<Decision> decide(const ClusterView& view, const Placement&) const override {
    std::vector<Decision> decisions;
    std::vector<char> free = *view.free;
    const auto mark = [&](int job, char as) {
      for (const int gpu : gpus_.at(job)) free[static_cast<std::size_t>(gpu)] = as;
    };
    for (const Line& line : lines_) {
      if (std::abs(line.at - in_seconds(view.now)) > 1e-6) continue;
      const auto& acting = line.what == 'r' ? view.suspended : view.running;
      if (line.what != 'p' && !has(acting, line.job)) continue;  // asked twice in this instant
      if (line.what == 's') decisions.emplace_back(Suspend{JobId(line.job)}), mark(line.job, 1);
      if (line.what == 'r') decisions.emplace_back(Resume{JobId(line.job)}), mark(line.job, 0);
      if (line.what == 'p') decisions.emplace_back(Preempt{JobId(line.job), JobId(line.job)});
    }
    for (const Job* job : view.pending) {
      Allocation allocation;
      for (const int gpu : gpus_.at(job->id.value())) allocation.gpus.emplace_back(gpu);
      const bool fits = std::all_of(allocation.gpus.begin(), allocation.gpus.end(),
                                    [&](GpuId gpu) { return free[gpu.index()] != 0; });
      if (fits) decisions.emplace_back(Start{job->id, allocation}), mark(job->id.value(), 0);
    }
    return decisions;
  }

  Seconds wake(const ClusterView& view) const override {
    Seconds next = forever();
    for (const Line& line : lines_)
      if (line.at > in_seconds(view.now) + 1e-6) next = std::min(next, seconds(line.at));
    return next;
  }

private:
  static bool has(const std::vector<RunningJob>& jobs, int id) {
    return std::any_of(jobs.begin(), jobs.end(),
                       [id](const RunningJob& each) { return each.job->id == JobId(id); });
  }

  std::map<int, std::vector<int>> gpus_;
  std::vector<Line> lines_;
};

double gpu_seconds(const std::string& yaml, const EventLog& log, const std::string& name) {
  return gpu_seconds_of(ledger(experiment_of(yaml).platform, log), name);
}

}  // namespace

TEST(Suspension, DelaysAJobByItsLengthAndIsAClassOfTheLedger) {
  const std::string yaml = "platform: " + switch_platform(1, 4) + R"(
workload: [{jobs: [{name: a, gpus: 4, run_time: 100 s}]}]
scheduler: {latency: 0 s}
)";
  const Outcome run = run_under(Script({{0, {0, 1, 2, 3}}}, {{30, 's', 0}, {50, 'r', 0}}), yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const AttemptRecord attempt = only_attempt_of(run.log, "a");
  EXPECT_NEAR(in_seconds(attempt.end), 100 + 20, kExact);
  EXPECT_NEAR(in_seconds(attempt.suspended), 20, kExact);
  EXPECT_NEAR(in_seconds(attempt.work), 100, kExact);
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "suspended"), 4 * 20, kExact);
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "productive"), 4 * 100, kExact);
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "idle"), 0, kExact);
  ASSERT_EQ(run.log.suspensions.size(), 1U);
  EXPECT_NEAR(in_seconds(run.log.suspensions[0].start), 30, kExact);
}

// It is stopped in the middle of an all-reduce, and steps that are jumped over are stopped too.
TEST(Suspension, StopsFlowsWhereTheyAre) {
  const double all_reduce = ring(8, 100 * kMebibyte, kNic), step = 2e-3 + 4e-3 + all_reduce;
  const int steps = 20000;
  for (const char* compression : {"on", "off"}) {
    const Outcome run = run_under(
        Script(
            {{0, {0, 1, 2, 3, 4, 5, 6, 7}}},
            {{10 * step + 6e-3 + all_reduce / 2, 's', 0}, {7, 'r', 0}, {9, 's', 0}, {20, 'r', 0}}),
        "platform: " + switch_platform(8, 1) + R"(
plans: {flat: {layers: 1, forward: 2 ms, backward: 4 ms, gradient_per_layer: 100 MiB, all_reduce: ring}}
workload: [{jobs: [{name: a, gpus: 8, plan: flat, steps: 20000}]}]
scheduler: {latency: 0 s}
time_compression: )" +
            compression);
    ASSERT_EQ(run.exit_code, 0) << run.error;
    const AttemptRecord attempt = only_attempt_of(run.log, "a");
    const double stood = 7 - (10 * step + 6e-3 + all_reduce / 2) + 11;
    EXPECT_NEAR(in_seconds(attempt.suspended), stood, kExact);
    // A jump that is broken off keeps whole steps: less than one a suspension is played again.
    const double rounding = compression == std::string("on") ? 2 * step : 1e-7;
    EXPECT_NEAR(in_seconds(attempt.end), steps * step + stood, rounding);
    EXPECT_NEAR(in_seconds(attempt.contention), 0, 1e-6);
  }
}

// Two rings of one GPU a node cross the same NICs: alone each has all of them.
TEST(Suspension, LeavesTheLinksToTheOthers) {
  const double alone = ring(4, 1000 * kMebibyte, kNic);
  const double together = 2 * (4 - 1) * kLatency + 2 * (alone - 2 * (4 - 1) * kLatency);
  const Outcome run =
      run_under(Script({{0, {0, 2, 4, 6}}, {1, {1, 3, 5, 7}}}, {{10, 's', 1}, {20, 'r', 1}}),
                "platform: " + switch_platform(4, 2, 1) + R"(
plans: {flat: {layers: 1, forward: 1 us, backward: 1 us, gradient_per_layer: 1000 MiB, all_reduce: ring}}
workload: [{jobs: [{name: a, gpus: 4, plan: flat, steps: 1000}, {name: b, gpus: 4, plan: flat, steps: 1000}]}]
scheduler: {latency: 0 s}
)");
  ASSERT_EQ(run.exit_code, 0) << run.error;
  // Steps until 10 s, then ten seconds alone, then together again until a ends, then b alone.
  const double a_steps_by_20 = 10 / together + 10 / alone;
  const double a_end = 20 + (1000 - a_steps_by_20) * together;
  const double b_left = 1000 - (10 + a_end - 20) / together;
  EXPECT_NEAR(in_seconds(only_attempt_of(run.log, "a").end), a_end, together);
  EXPECT_NEAR(in_seconds(only_attempt_of(run.log, "b").end), a_end + b_left * alone, together);
}

TEST(Suspension, LetsTwoJobsTakeTurnsOnTheSameGpus) {
  std::vector<Script::Line> turns;
  for (int slice = 1; slice < 20; ++slice) {
    turns.push_back({10.0 * slice, 's', slice % 2 == 1 ? 0 : 1});
    if (slice > 1) turns.push_back({10.0 * slice, 'r', slice % 2});
  }
  // The second job is submitted when the first is suspended for the first time.
  const std::string yaml = "platform: " + switch_platform(1, 4) + R"(
workload: [{jobs: [{name: a, gpus: 4, run_time: 100 s}, {name: b, gpus: 4, run_time: 100 s, submit: 10 s}]}]
scheduler: {latency: 0 s}
)";
  const Outcome run = run_under(Script({{0, {0, 1, 2, 3}}, {1, {0, 1, 2, 3}}}, turns), yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NEAR(in_seconds(only_attempt_of(run.log, "a").end), 190, kExact);
  EXPECT_NEAR(in_seconds(only_attempt_of(run.log, "b").end), 200, kExact);
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "suspended"), 0, 1e-6);  // the other runs meanwhile
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "productive"), 4 * 200, 1e-6);
  EXPECT_NEAR(gpu_seconds(yaml, run.log, "idle"), 0, 1e-6);
}

TEST(Suspension, OfAJobThatIsThenPreemptedLosesWhatItHadNotSaved) {
  const std::string yaml = "platform: " + switch_platform(1, 2) + R"(
workload: [{jobs: [{name: a, gpus: 2, run_time: 100 s}]}]
scheduler: {latency: 0 s}
)";
  const Outcome run =
      run_under(Script({{0, {0, 1}}}, {{30, 's', 0}, {50, 'p', 0}, {60, 'x', 0}}), yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> attempts = attempts_of(run.log, "a");
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_EQ(attempts[0].end_state, JobState::Preempted);
  EXPECT_NEAR(in_seconds(attempts[0].lost), 30, kExact);
  EXPECT_NEAR(in_seconds(attempts[0].suspended), 20, kExact);
  EXPECT_NEAR(in_seconds(attempts[0].work), 0, kExact);
  EXPECT_NEAR(in_seconds(attempts[1].end - attempts[1].start), 100, kExact);
}

}  // namespace trainyard
