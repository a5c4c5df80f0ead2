// The generated month keeps what is published of RSC-1.

#include "schedulers/slurm/replay/research_month.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace trainyard::slurm {
namespace {

TEST(ResearchMonth, SharesOfJobsAndOfTimeAreThePublishedOnes) {
  double jobs = 0, time = 0, in_a_node = 0, time_in_a_node = 0, time_from_256 = 0;
  for (const SizeShare& row : research_sizes()) {
    jobs += row.jobs, time += row.time;
    if (row.gpus <= 8) in_a_node += row.jobs, time_in_a_node += row.time;
    if (row.gpus >= 256) time_from_256 += row.time;
  }
  EXPECT_NEAR(jobs, 100, 1e-9);
  EXPECT_NEAR(time, 100, 1e-9);
  EXPECT_GT(research_sizes().front().jobs, 40);  // of one GPU
  EXPECT_GT(in_a_node, 90);
  EXPECT_LT(time_in_a_node, 10);
  EXPECT_NEAR(time_from_256, 66, 1e-9);
  EXPECT_LT(research_sizes().back().jobs, 1);
  EXPECT_NEAR(research_sizes().back().time, 12, 1e-9);
}

TEST(ResearchMonth, JobsFollowTheTableAndFillTheClusterAsPublished) {
  const ResearchMonth month;
  std::map<int, double> count;
  double gpu_seconds = 0;
  for (const SlurmJob& job : research_jobs(month)) {
    const int gpus = job.request.min_nodes * job.request.gpus_per_node;
    count[gpus] += 1;
    gpu_seconds += gpus * job.run_time;
    EXPECT_LE(job.run_time, 60.0 * *job.time_limit);
  }
  for (const SizeShare& row : research_sizes()) {
    const double expected = month.jobs * row.jobs / 100;
    EXPECT_NEAR(count[row.gpus], expected, 4 * std::sqrt(expected)) << row.gpus;
  }
  const double capacity = 8.0 * month.nodes * month.days * 24 * 3600;
  EXPECT_NEAR(gpu_seconds / capacity, month.utilisation, 0.1);  // a few thousand large jobs
}

}  // namespace
}  // namespace trainyard::slurm
