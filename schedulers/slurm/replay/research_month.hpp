// A month like that of Meta's RSC-1: 2,000 nodes of 8 GPUs, 7,200 jobs a day, five GPUs in six
// used.
//
// Taken from the paper on that cluster (arXiv 2410.21680) as its text gives it: the number of
// nodes, pods of 20 nodes, jobs a day, utilisation, no job above seven days, and the shape: four
// jobs in ten want one GPU, nine in ten fit into a node and take less than a tenth of the GPU time,
// jobs of 256 GPUs and more take two thirds of it, those of 4,096 an eighth with less than one job
// in a hundred. Assumed: every row of the table of sizes (made to add up to that shape, not read
// off the paper's figures), how submissions spread over the day, durations and limits, users and
// accounts, and the site's configuration.
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

// Of all jobs, and of all GPU time, in percent; ascending by size. Both sum to 100. Assumed: see
// above.
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
