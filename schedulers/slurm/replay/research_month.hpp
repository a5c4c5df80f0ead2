// A month like that of Meta's RSC-1: 2,000 nodes of 8 GPUs, 7,200 jobs a day, five GPUs in six
// used.
//
// Published (arXiv 2410.21680): nodes, pods of 20 nodes, jobs a day, 83 % utilisation, no job above
// seven days; four jobs in ten want one GPU; nine in ten fit into a node and take less than a tenth
// of the GPU time; jobs of 256 GPUs and more take two thirds of it, those of 4,096 an eighth with
// less than one job in a hundred. The table of sizes keeps to that; shares in between, and the
// spread of the durations, are ours.
#pragma once

#include "schedulers/slurm/job/job.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <cstdint>
#include <vector>

namespace trainyard::slurm {

struct ResearchMonth {
  int nodes = 2000;
  int gpus_per_node = 8;
  int jobs = 216'000;
  double days = 30;
  double utilisation = 0.83;
  std::uint64_t seed = 1;
};

// Of all jobs, and of all GPU time, in percent; ascending by size. Both sum to 100.
struct SizeShare {
  int gpus = 1;
  double jobs = 0, time = 0;
};
const std::vector<SizeShare>& research_sizes();

// Leaves of 20 nodes below one spine, multifactor priority with fair shares of 100 users in ten
// accounts, backfill 500 deep every 30 s.
SlurmSite research_site(const ResearchMonth& month);

std::vector<SlurmJob> research_jobs(const ResearchMonth& month);

}  // namespace trainyard::slurm
