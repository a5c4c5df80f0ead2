// Job scripts and tables of submissions: what they ask for, in whatever spelling.
#include "workload/importers/jobs/sbatch.hpp"

#include "base/error.hpp"
#include "support/scratch.hpp"
#include "workload/importers/jobs/sbatch_options.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace trainyard {

namespace {

SbatchOptions options_of(const std::string& line) {
  SbatchOptions options;
  add_sbatch_options(line, {"job.sh", 3}, options);
  return options;
}

std::string problem_of(const std::string& line) {
  try {
    options_of(line);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(SbatchOptions, HaveOneMeaningInEverySpelling) {
  const SbatchOptions expected = {{"nodes", "2"}, {"gres", "gpu:8"}, {"exclusive", ""}};
  EXPECT_EQ(options_of("-N2 --gres gpu:8 --exclusive"), expected);
  EXPECT_EQ(options_of(" --nodes=2 --gres='gpu:8' --exclusive # all of it"), expected);
  EXPECT_EQ(options_of("-N 2 --gres=\"gpu:8\" --exclusive -o log_%j.txt"), expected);
  EXPECT_EQ(text_of(expected), "--exclusive --gres=gpu:8 --nodes=2");
}

TEST(SbatchOptions, AskForGpusByJobNodeOrTask) {
  EXPECT_EQ(gpus_of(options_of("--gpus=h100:24 -N 3")), 24);
  EXPECT_EQ(gpus_of(options_of("-N 3 --gpus-per-node=8")), 24);
  EXPECT_EQ(gpus_of(options_of("-N 3 --gres=gpu:a100:4")), 12);
  EXPECT_EQ(gpus_of(options_of("-n 6 --gpus-per-task=2")), 12);
  EXPECT_EQ(gpus_of(options_of("-N 2 --ntasks-per-node=4 --gpus-per-task=1")), 8);
  EXPECT_EQ(gpus_of(options_of("-N 2")), 0);
}

TEST(SbatchOptions, WhatIsUnknownIsNamed) {
  EXPECT_EQ(problem_of("--gpu-per-node=8"),
            "job.sh:3: unknown option of sbatch 'gpu-per-node'; did you mean 'gpus-per-node'?");
  EXPECT_EQ(problem_of("--nodes"), "job.sh:3: option 'nodes' of sbatch needs a value");
  EXPECT_EQ(problem_of("train.py"), "job.sh:3: 'train.py' is no option of sbatch");
}

TEST(SlurmTime, IsWhatSbatchsManualSays) {
  EXPECT_EQ(slurm_time("90"), 90 * 60);
  EXPECT_EQ(slurm_time("5:30"), 5 * 60 + 30);
  EXPECT_EQ(slurm_time("1:00:00"), 3600);
  EXPECT_EQ(slurm_time("2-12"), 2 * 86400 + 12 * 3600);
  EXPECT_EQ(slurm_time("2-12:30"), 2 * 86400 + 12 * 3600 + 30 * 60);
  EXPECT_EQ(slurm_time("2-12:30:01"), 2 * 86400 + 12 * 3600 + 30 * 60 + 1);
  for (const char* no : {"", "1:2:3:4", "x", "-1", "1-"}) EXPECT_FALSE(slurm_time(no)) << no;
}

TEST(Sbatch, AFolderIsReadInTheOrderOfNames) {
  const std::filesystem::path folder = scratch_path("scripts");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "b.sh") << "#SBATCH -N1 --gres=gpu:8 -t 60\n#TRAINYARD submit: 5 min\n";
  std::ofstream(folder / "a.sh") << "#SBATCH -G 4 -t 30\n#TRAINYARD user: alice\nhostname\n";
  std::ofstream(folder / "cpu.sh") << "#SBATCH -N1 -t 30\n";
  std::ofstream(folder / "notes.txt") << "no script\n";
  const JobTrace trace = read_sbatch(folder.string(), {});
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].name, "a");
  EXPECT_EQ(trace.jobs[0].sbatch, "--gpus=4 --time=30 --uid=alice");
  EXPECT_EQ(trace.jobs[0].run_time, minutes(30));
  EXPECT_EQ(trace.jobs[1].name, "b");
  EXPECT_EQ(trace.jobs[1].submit, minutes(5));
  EXPECT_EQ(trace.dropped.at("no GPU"), 1);
}

TEST(SlurmJobs, AreOptionsByColumn) {
  const std::string file = scratch_path("jobs.csv");
  std::ofstream(file) << "id,submit_s,nodes,gpus_per_node,run_s,time_limit_min,partition,requeue,"
                         "begin_s,extra\n"
                         "A,5,2,8,60,3,low,no,65,--switches=1\n"
                         "C,6,1,0,60,3,low,,,\n";
  const JobTrace trace = read_slurm_jobs(file, {});
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].gpus, 16);
  EXPECT_EQ(trace.jobs[0].limit, minutes(3));
  EXPECT_EQ(trace.jobs[0].sbatch,
            "--begin=now+60 --cpus-per-task=16 --gpus-per-node=8 --no-requeue --nodes=2 --ntasks=2 "
            "--partition=low --switches=1 --time=3");
}

}  // namespace trainyard
