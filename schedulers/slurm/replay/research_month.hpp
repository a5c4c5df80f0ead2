// A month like that of Meta's RSC-1: 2,000 nodes of 8 GPUs, 7,200 jobs a day, five jobs in six
// used.
//
// Published: nodes, jobs a day, 83 % utilisation, most jobs within a node, jobs of 4,096 GPUs under
// 1 % of the jobs and some 12 % of the GPU time. The shares in between and the durations are ours,
// scaled to that utilisation.
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

// Leaves of 32 nodes below one spine, multifactor priority, backfill 500 deep every 30 s.
SlurmSite research_site(const ResearchMonth& month);

std::vector<SlurmJob> research_jobs(const ResearchMonth& month);

}  // namespace trainyard::slurm
