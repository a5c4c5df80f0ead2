// Slurm's rules in charge of the simulation: the same decisions as without one, and the books of
// what they do to jobs.
#include "schedulers/slurm/replay/replay.hpp"
#include "support/experiment_run.hpp"
#include "unit/schedulers/slurm/shared_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace trainyard {

namespace {

using slurm::GoldenScenario;
using slurm::SlurmJob;

// GPU jobs that sleep on equal nodes; a sleeper that is suspended sleeps on, a simulated job does
// not.
bool can_be_simulated(const GoldenScenario& scenario) {
  if (scenario.site.parameters.gang) return false;
  const int gpus = scenario.site.nodes.front().gpus();
  const bool equal = gpus > 0 && std::all_of(scenario.site.nodes.begin(), scenario.site.nodes.end(),
                                             [&](const auto& node) { return node.gpus() == gpus; });
  return equal && std::all_of(scenario.jobs.begin(), scenario.jobs.end(), [](const SlurmJob& job) {
           return job.request.gpus_per_node > 0 && job.request.max_nodes == job.request.min_nodes &&
                  job.array.empty() && job.run_time > 0 && !job.no_kill && !job.ignores_sigterm;
         });
}

Experiment simulation_of(const GoldenScenario& scenario) {
  const std::string platform =
      switch_platform(scenario.site.node_count(), scenario.site.nodes.front().gpus());
  Experiment experiment = experiment_of("platform: " + platform + R"(
workload: [{jobs: [{name: a, gpus: 1, run_time: 1 s}]}]
scheduler: {policy: slurm, site: {slurm_version: "22.05", parameters: ["SchedulerType=sched/backfill"]}}
)");
  slurm::SlurmSetup& setup = *experiment.slurm;
  setup.site = scenario.site;
  setup.jobs = scenario.jobs;
  setup.commands = scenario.events;
  setup.delays.epoch = scenario.epoch;
  experiment.jobs.clear();
  for (const SlurmJob& slurm : scenario.jobs) {
    Job job;
    job.id = JobId(static_cast<std::int64_t>(experiment.jobs.size()));
    job.name = slurm.id;
    job.submit = seconds(slurm.submitted);
    job.gpus = slurm.request.min_nodes * slurm.request.gpus_per_node;
    job.run_time = seconds(slurm.run_time);
    experiment.jobs.push_back(job);
  }
  experiment.attempts.alone = false;
  return experiment;
}

std::string run_text(const std::string& job, double start, double end,
                     const std::vector<std::int64_t>& gpus) {
  std::string text = job + " at " + std::to_string(std::lround(start * 100)) + " to " +
                     std::to_string(std::lround(end * 10)) + " on";
  for (const std::int64_t gpu : gpus) text += " " + std::to_string(gpu);
  return text;
}

std::vector<std::string> runs_of(const EventLog& log) {
  std::vector<std::string> runs;
  for (const AttemptRecord& attempt : log.attempts) {
    std::vector<std::int64_t> gpus;
    for (const GpuId gpu : attempt.allocation.gpus) gpus.push_back(gpu.value());
    if (!gpus.empty())
      runs.push_back(run_text(log.jobs[attempt.job.index()].name, in_seconds(attempt.start),
                              in_seconds(attempt.end), gpus));
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

std::vector<std::string> runs_of(const GoldenScenario& scenario) {
  slurm::WorldDelays delays;
  delays.epoch = scenario.epoch;
  slurm::Replay replay(scenario.site, scenario.jobs, scenario.events, delays);
  const slurm::ReplayResult result = replay.run(1e6);
  const int width = scenario.site.nodes.front().gpus();
  std::vector<std::string> runs;
  for (const slurm::Segment& segment : result.segments) {
    std::vector<std::int64_t> gpus;
    for (const slurm::NodeShare& share : segment.allocation.shares)
      for (int gpu = 0; gpu < width; ++gpu)
        if ((share.gpus >> gpu) & 1) gpus.push_back(share.node * width + gpu);
    const bool by_itself = segment.end_state == "COMPLETED" || segment.end_state == "FAILED";
    runs.push_back(run_text(replay.state().job(segment.job).id, segment.start,
                            segment.end - (by_itself ? delays.job_end : 0), gpus));
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

class SimulatedGolden : public testing::TestWithParam<std::string> {};

std::vector<AttemptRecord> of_state(const EventLog& log, JobState state) {
  std::vector<AttemptRecord> found;
  std::copy_if(log.attempts.begin(), log.attempts.end(), std::back_inserter(found),
               [state](const AttemptRecord& each) { return each.end_state == state; });
  return found;
}

// Two partitions over one node of 8 GPUs; a high job comes while a low one runs.
std::string two_tiers(const std::string& preemption, const std::string& rest) {
  return "platform: " + switch_platform(1, 8) + R"(
workload:
  - jobs:
      - {name: low, gpus: 8, run_time: 1000 s, sbatch: "--partition=low"}
      - {name: high, gpus: 8, run_time: 100 s, submit: 300 s, sbatch: "--partition=high"}
scheduler:
  policy: slurm
  site:
    slurm_version: "22.05"
    parameters:
      - SchedulerType=sched/backfill
      - )" +
         preemption + R"(
      - PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1 State=UP OverSubscribe=FORCE:1
      - PartitionName=high Nodes=ALL MaxTime=INFINITE PriorityTier=2 State=UP OverSubscribe=FORCE:1
)" + rest;
}

void expect_whole_books(const std::string& yaml, const EventLog& log) {
  const Experiment experiment = experiment_of(yaml);
  double sum = 0;
  for (const LedgerClass& each : ledger(experiment.platform, log)) {
    EXPECT_GE(each.gpu_seconds, 0) << each.name;
    sum += each.gpu_seconds;
  }
  EXPECT_NEAR(sum, experiment.platform.gpu_count() * in_seconds(log.end), 1e-6);
  for (const AttemptRecord& a : log.attempts)
    EXPECT_NEAR(in_seconds(a.restart + a.checkpoint + a.work + a.lost + a.suspended),
                in_seconds(a.end - a.start), 1e-6);
}

}  // namespace

TEST_P(SimulatedGolden, DecidesAsTheReplayDoes) {
  const GoldenScenario scenario = slurm::read_scenario(GetParam());
  if (!can_be_simulated(scenario)) GTEST_SKIP() << "not of GPU jobs that sleep";
  const Outcome run = run_prepared(simulation_of(scenario));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_EQ(runs_of(run.log), runs_of(scenario));
}

INSTANTIATE_TEST_SUITE_P(Scenarios, SimulatedGolden, testing::ValuesIn(golden_scenarios()),
                         [](const testing::TestParamInfo<std::string>& scenario) {
                           return std::filesystem::path(scenario.param).filename().string();
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SimulatedGolden);

// A requeued job waits until its credential has expired (120 s + 1), then begins anew.
TEST(SlurmLoop, RequeueLosesWhatWasNotSaved) {
  const std::string yaml =
      two_tiers("PreemptType=preempt/partition_prio\n      - PreemptMode=REQUEUE", "");
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> low = attempts_of(run.log, "low");
  ASSERT_EQ(low.size(), 2U);
  const AttemptRecord high = only_attempt_of(run.log, "high");
  EXPECT_EQ(low[0].end_state, JobState::Preempted);
  EXPECT_EQ(low[0].cause, "preempted for high");
  EXPECT_GE(in_seconds(low[0].end), 300);
  EXPECT_NEAR(in_seconds(high.start), in_seconds(low[0].end), 3);
  EXPECT_NEAR(in_seconds(low[0].lost), in_seconds(low[0].end - low[0].start), 1e-6);
  EXPECT_GE(in_seconds(low[1].start - low[0].end), 120);
  EXPECT_NEAR(in_seconds(low[1].end - low[1].start), 1000, 1e-6);
  expect_whole_books(yaml, run.log);
}

TEST(SlurmLoop, CancelEndsTheVictim) {
  const std::string yaml =
      two_tiers("PreemptType=preempt/partition_prio\n      - PreemptMode=CANCEL", "");
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_EQ(only_attempt_of(run.log, "low").end_state, JobState::Preempted);
  EXPECT_EQ(only_attempt_of(run.log, "high").end_state, JobState::Completed);
  expect_whole_books(yaml, run.log);
}

// GPUs of a suspended job are not released, so nobody is suspended and the high job waits.
TEST(SlurmLoop, SuspensionFreesNoGpu) {
  const std::string yaml =
      two_tiers("PreemptType=preempt/partition_prio\n      - PreemptMode=SUSPEND,GANG", "");
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_GE(only_attempt_of(run.log, "high").start, only_attempt_of(run.log, "low").end);
  expect_whole_books(yaml, run.log);
}

// Told at the start of the grace time, it writes its checkpoint, leaves, and loses nothing.
TEST(SlurmLoop, AJobThatListensToTheSignalKeepsItsWork) {
  std::string yaml =
      two_tiers("PreemptType=preempt/partition_prio\n      - PreemptMode=REQUEUE", R"(
plans: {p: {layers: 1, forward: 500 ms, backward: 500 ms, gradient_per_layer: 1 MiB}}
checkpoint: {every: never, write: 5 s, on_preemption: yes}
)");
  const std::string time = "run_time: 1000 s";
  yaml.replace(yaml.find(time), time.size(), "plan: p, steps: 1000");
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> low = attempts_of(run.log, "low");
  ASSERT_EQ(low.size(), 2U);
  EXPECT_EQ(low[0].end_state, JobState::Preempted);
  EXPECT_NEAR(in_seconds(low[0].checkpoint), 5, 1e-6);
  EXPECT_NEAR(in_seconds(low[0].lost), 0, 1e-6);
  EXPECT_EQ(low[0].steps_saved, low[0].steps_done);
  EXPECT_EQ(low[1].first_step, low[0].steps_saved);
  EXPECT_NEAR(in_seconds(low[0].work + low[1].work), 1000, 1);  // and 1,000 small all-reduces
  expect_whole_books(yaml, run.log);
}

TEST(SlurmLoop, AFailedNodeRequeuesItsJobsAndReturns) {
  const std::string yaml = "platform: " + switch_platform(2, 4) + R"(
workload: [{jobs: [{name: a, gpus: 8, run_time: 500 s}]}]
failures: {list: [{node: node1, at: 100 s, repair: 300 s}]}
scheduler:
  policy: slurm
  site: {slurm_version: "22.05", parameters: ["SchedulerType=sched/backfill"]}
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> runs = attempts_of(run.log, "a");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].end_state, JobState::NodeFail);
  EXPECT_GE(in_seconds(runs[1].start), 400);
  EXPECT_NEAR(in_seconds(runs[1].end - runs[1].start), 500, 1e-6);
  expect_whole_books(yaml, run.log);
}

TEST(SlurmLoop, WhatCanNeverStartEndsTheRunAndIsNamed) {
  const Outcome run = run_experiment("platform: " + switch_platform(1, 4) + R"(
workload:
  - jobs:
      - {name: a, gpus: 4, run_time: 50 s}
      - {name: b, gpus: 4, run_time: 50 s, sbatch: "--dependency=afternotok:a"}
scheduler:
  policy: slurm
  site: {slurm_version: "22.05", parameters: ["SchedulerType=sched/backfill"]}
)");
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_TRUE(attempts_of(run.log, "b").empty());
  ASSERT_FALSE(run.log.warnings.empty());
  EXPECT_NE(run.log.warnings.back().find("b (DependencyNeverSatisfied)"), std::string::npos);
}

TEST(SlurmLoop, ListsOfJobsByStateAreComplete) {
  const Outcome run = run_experiment(two_tiers("PreemptMode=OFF", ""));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_EQ(of_state(run.log, JobState::Completed).size(), 2U);
  const auto says = [&](const std::string& what) {
    return std::count_if(run.log.history.begin(), run.log.history.end(),
                         [&](const DecisionRecord& row) { return row.what == what; });
  };
  EXPECT_EQ(says("submitted"), 2);
  EXPECT_EQ(says("starts"), 2);
  EXPECT_EQ(says("ended"), 2);
  EXPECT_GE(says("waits"), 1);
}

}  // namespace trainyard
