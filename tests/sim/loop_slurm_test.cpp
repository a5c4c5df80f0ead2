// Slurm's rules in charge of the simulation: the same decisions as without one, and the books of
// what they do to jobs.
#include "schedulers/slurm/replay/replay.hpp"
#include "support/experiment_run.hpp"
#include "support/scratch.hpp"
#include "unit/schedulers/slurm/shared_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace trainyard {

namespace {

using slurm::GoldenScenario;
using slurm::SlurmJob;

// Why the simulation, by design, does something else than the recorded sleepers did; "" if it does
// not.
std::string why_not(const SlurmJob& job) {
  const slurm::Request& request = job.request;
  if (request.gpus_per_node == 0 && request.gpus_total == 0) return "a job without GPUs";
  if (request.gpus_total == 0 && request.max_nodes != request.min_nodes)
    return "how many GPUs a job gets depends on its nodes";
  if (job.run_time <= 0) return "a job that takes no time";
  if (job.no_kill) return "a sleeper outlives its node, training does not";
  if (job.ignores_sigterm) return "a sleeper that ignores the signal to end";
  return "";
}

std::string why_not(const GoldenScenario& scenario) {
  if (scenario.site.parameters.gang) return "a sleeper that is suspended sleeps on";
  const int gpus = scenario.site.nodes.front().gpus();
  for (const slurm::SlurmNode& node : scenario.site.nodes)
    if (node.gpus() != gpus || gpus == 0) return "nodes that differ";
  for (const SlurmJob& job : scenario.jobs)
    if (const std::string why = why_not(job); !why.empty()) return job.id + ": " + why;
  return "";
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
  setup.jobs.clear();
  setup.commands = scenario.events;
  setup.delays.epoch = scenario.epoch;
  experiment.jobs.clear();
  for (const SlurmJob& slurm : scenario.jobs) {
    const std::vector<int> tasks = slurm.array.empty() ? std::vector<int>{-1} : slurm.array;
    for (const int task : tasks) {
      Job job;
      job.id = JobId(static_cast<std::int64_t>(experiment.jobs.size()));
      job.name = task < 0 ? slurm.id : slurm.id + "_" + std::to_string(task);
      job.array_task = task;
      job.submit = seconds(slurm.submitted);
      job.gpus = slurm.request.gpus_total > 0
                     ? slurm.request.gpus_total
                     : slurm.request.min_nodes * slurm.request.gpus_per_node;
      job.run_time = seconds(slurm.run_time);
      experiment.jobs.push_back(job);
      setup.jobs.push_back(slurm);
    }
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
  if (const std::string why = why_not(scenario); !why.empty()) GTEST_SKIP() << why;
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

// ---- Arrays, dependencies, --no-kill ----

namespace {

std::string one_node_with(const std::string& jobs, const std::string& rest = "") {
  return "platform: " + switch_platform(1, 8) + "\nworkload:\n  - jobs:\n" + jobs + R"(
scheduler:
  policy: slurm
  site: {slurm_version: "22.05", parameters: ["SchedulerType=sched/backfill"]}
)" + rest;
}

}  // namespace

// Four GPUs a task: two would fit together, %1 lets one at a time.
TEST(SlurmLoop, TasksOfAnArrayRunAsManyAtOnceAsItSays) {
  const Outcome run = run_experiment(one_node_with(
      R"(      - {name: a, gpus: 4, run_time: 100 s, sbatch: "--array=2-6:2%1"}
      - {name: b, gpus: 8, run_time: 50 s, sbatch: "--dependency=afterok:a"})"));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  ASSERT_EQ(run.log.jobs.size(), 4U);
  Seconds before;
  for (const char* task : {"a_2", "a_4", "a_6"}) {
    const AttemptRecord attempt = only_attempt_of(run.log, task);
    EXPECT_EQ(attempt.end_state, JobState::Completed);
    EXPECT_GE(attempt.start, before);
    before = attempt.end;
  }
  EXPECT_GE(only_attempt_of(run.log, "b").start, before);
}

TEST(SlurmLoop, UnderAnotherPolicyTasksOfAnArrayAreJobsOfTheirOwn) {
  const Outcome run = run_experiment("platform: " + switch_platform(1, 8) + R"(
workload: [{jobs: [{name: a, gpus: 4, run_time: 100 s, sbatch: "--array=0-3%1"}]}]
scheduler: {policy: fifo, latency: 0 s}
)");
  ASSERT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NEAR(in_seconds(run.log.end), 200, 1e-6);
}

TEST(SlurmLoop, AnotherPolicySaysThatItDoesNotFollowTheOptions) {
  const std::string yaml = "platform: " + switch_platform(2, 4) + R"(
workload:
  - jobs:
      - {name: plain, gpus: 4, run_time: 5 s}
      - {name: late, gpus: 4, run_time: 5 s, sbatch: "--dependency=afterok:1"}
scheduler: {policy: fifo}
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  ASSERT_EQ(run.log.warnings.size(), 1U);
  EXPECT_EQ(run.log.warnings[0],
            "policy 'fifo' does not follow sbatch's options of 1 job, the first late: "
            "--dependency=afterok:1");
}

// The node's end aborts its ranks, and its script requeues it: at once on the node that is left,
// while one that Slurm requeues waits until its credential has expired.
TEST(SlurmLoop, WithNoKillATrainingJobStillLosesItsRanks) {
  const std::string yaml = "platform: " + switch_platform(2, 4) + R"(
workload: [{jobs: [{name: a, gpus: 4, run_time: 500 s, sbatch: "--no-kill"}]}]
failures: {list: [{node: node0, at: 100 s, repair: 1000 s}]}
scheduler:
  policy: slurm
  site: {slurm_version: "22.05", parameters: ["SchedulerType=sched/backfill"]}
)";
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::vector<AttemptRecord> runs = attempts_of(run.log, "a");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].end_state, JobState::NodeFail);
  EXPECT_NEAR(in_seconds(runs[0].end), 100, 1);
  EXPECT_EQ(runs[1].end_state, JobState::Completed);
  EXPECT_LT(in_seconds(runs[1].start), 400);
  expect_whole_books(yaml, run.log);
}

// ---- Suspension ----

// Both need every core of the node and half of its GPUs: the low job is suspended, and keeps its
// GPUs, while the high one runs on the others.
TEST(SlurmLoop, ASuspendedJobKeepsItsGpusAndLosesNothing) {
  std::string yaml =
      two_tiers("PreemptType=preempt/partition_prio\n      - PreemptMode=SUSPEND,GANG", "");
  for (const char* partition : {"--partition=low", "--partition=high"}) {
    const std::string all_cores = std::string(partition) + " -N=1 --gpus-per-node=4 -c=128";
    yaml.replace(yaml.find(partition), std::string(partition).size(), all_cores);
    yaml.replace(yaml.find("gpus: 8"), 7, "gpus: 4");
  }
  const Outcome run = run_experiment(yaml);
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const AttemptRecord low = only_attempt_of(run.log, "low"),
                      high = only_attempt_of(run.log, "high");
  EXPECT_LT(in_seconds(high.start), 310);
  EXPECT_LT(high.end, low.end);
  for (const GpuId gpu : high.allocation.gpus)
    EXPECT_EQ(std::count(low.allocation.gpus.begin(), low.allocation.gpus.end(), gpu), 0);
  EXPECT_GE(low.suspended, high.end - high.start);
  EXPECT_LT(in_seconds(low.suspended), 100 + 60);  // gang scheduling looks once a slice
  EXPECT_NEAR(in_seconds(low.work), 1000, 1e-6);
  EXPECT_NEAR(in_seconds(low.end - low.start), 1000 + in_seconds(low.suspended), 1e-6);
  EXPECT_NEAR(gpu_seconds_of(ledger(experiment_of(yaml).platform, run.log), "suspended"),
              4 * in_seconds(low.suspended), 1e-6);
  expect_whole_books(yaml, run.log);
}

// ---- Workloads of files ----

namespace {

std::string written(const std::string& name, const std::string& text) {
  std::string file = scratch_path(name);
  std::ofstream(file) << text;
  return file;
}

std::string of_trace(const std::string& format, const std::string& file) {
  return "platform: " + switch_platform(2, 8) + "\nworkload: [{trace: {format: " + format +
         ", file: " + file + R"(}}]
scheduler:
  policy: slurm
  site:
    slurm_version: "22.05"
    parameters:
      - SchedulerType=sched/backfill
      - PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP
)";
}

}  // namespace

TEST(SlurmLoop, PlaysJobScripts) {
  const std::string file = written("train.sbatch", R"(#!/bin/bash
#SBATCH --job-name=llama   # a comment
#SBATCH -N 2 --gpus-per-node=h100:4
#SBATCH -t 1:00 -p low
#TRAINYARD run_time: 30 s
srun train
#SBATCH --gpus=99
)");
  const Outcome run = run_experiment(of_trace("sbatch", file));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  ASSERT_EQ(run.log.jobs.size(), 1U);
  EXPECT_EQ(run.log.jobs[0].gpus, 8);
  EXPECT_EQ(run.log.jobs[0].limit, minutes(1));
  EXPECT_GE(run.log.attempts[0].allocation.gpus.back().value(), 8);  // on both nodes
  EXPECT_NEAR(in_seconds(run.log.attempts[0].end - run.log.attempts[0].start), 30, 1e-6);
}

TEST(SlurmLoop, PlaysSubmissionsOfATable) {
  const std::string file =
      written("jobs.csv",
              R"(id,submit_s,nodes,gpus_per_node,time_limit_min,run_s,array,dependency,nodelist
A,10,1,8,5,60,0-1%1,,
B,12,1,4,5,20,,afterok:{A},node1
)");
  const Outcome run = run_experiment(of_trace("slurm-jobs", file));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  ASSERT_EQ(run.log.jobs.size(), 3U);
  const AttemptRecord last = only_attempt_of(run.log, "A_1"), b = only_attempt_of(run.log, "B");
  EXPECT_GE(last.start, only_attempt_of(run.log, "A_0").end);
  EXPECT_GE(b.start, last.end);
  EXPECT_GE(b.allocation.gpus.front().value(), 8);  // node1
}

}  // namespace trainyard
