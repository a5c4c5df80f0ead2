// `scheduler.site:` of an experiment under the policy `slurm`: the site's own files, or lines of
// slurm.conf beside nodes that are taken from the platform.
#pragma once

#include "config/section.hpp"
#include "schedulers/slurm/loop/setup.hpp"
#include "study/workload_reader.hpp"

#include <memory>

namespace trainyard {

// {slurm_version: "22.05", slurm_conf: file, gres_conf?: file, topology_conf?: file,
//  accounting?: a file of sacctmgr's lines, or the lines, commands?: [{at: 10 s, do: scontrol ..}],
//  sbatch_by_priority?: {2: --partition=high}}
// or {slurm_version: "22.05", parameters: [lines of slurm.conf], accounting?: .., commands?: ..}
std::shared_ptr<slurm::SlurmSetup> read_slurm_site(Section site, const Platform& platform,
                                                   const PathResolver& resolve);

// Every job as it is submitted, with its `sbatch` options.
void submit_to(slurm::SlurmSetup& setup, const Workload& workload);

}  // namespace trainyard
