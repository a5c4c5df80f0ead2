// What a run decides by rules that no decision of a real Slurm was held against.
#pragma once

#include "schedulers/slurm/job/job.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

// Rules in use by the site or any of the jobs, a phrase each; none: all are covered by decisions
// recorded of Slurm 22.05.
std::vector<std::string> unverified_rules(const SlurmSite& site, const std::vector<SlurmJob>& jobs);

}  // namespace trainyard::slurm
