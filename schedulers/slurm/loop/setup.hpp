// A site's Slurm put in charge of a platform: its nodes are the platform's nodes, its jobs the
// workload's.
#pragma once

#include "platforms/platform.hpp"
#include "schedulers/slurm/golden/scenario.hpp"
#include "schedulers/slurm/job/job.hpp"
#include "schedulers/slurm/replay/replay.hpp"
#include "schedulers/slurm/site/site.hpp"
#include "workload/job.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard::slurm {

struct SlurmSetup {
  SlurmSite site;
  std::vector<NodeId> node_of;                      // by the site's node; invalid: it has no GPU
  std::vector<SlurmJob> jobs;                       // by JobId
  std::map<std::int64_t, std::string> by_priority;  // options of sbatch that stand for a priority
  std::vector<GoldenEvent> commands;                // what operators type, in the order of time
  WorldDelays delays;
};

// slurm.conf's node and partition lines for a platform whose site is not given: nodes by their
// names, 16 cores a GPU in two sockets, one partition.
std::string conf_of(const Platform& platform);

// By name where all of the site's GPU nodes are the platform's, else in the order of both. Throws
// InputError at `file` if their numbers or their GPUs differ.
std::vector<NodeId> match_nodes(const SlurmSite& site, const Platform& platform,
                                const std::string& file);

// The leaf switches of the platform's nodes, for a site with topology/tree and no topology.conf.
void add_leaves(SlurmSite& site, const Platform& platform, const std::vector<NodeId>& node_of);

// The job as it is submitted with these options of sbatch. Without options of its own: as few nodes
// as hold it evenly, cores in proportion to GPUs, the default partition. `problem`: why it cannot
// be, or "".
SlurmJob slurm_job(const Job& job, const std::string& options, const SlurmSite& site,
                   std::string& problem);

}  // namespace trainyard::slurm
