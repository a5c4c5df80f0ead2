// The options of sbatch that ask for something: one table.
#pragma once

#include "schedulers/slurm/job/job.hpp"
#include "schedulers/slurm/site/version.hpp"

#include <string>

namespace trainyard::slurm {

// "--nodes=1-4 --ntasks=4 --gpus=12" as that release takes it: the problem, or "".
std::string take_options(const std::string& text, const SlurmVersion& version, SlurmJob& job);

}  // namespace trainyard::slurm
