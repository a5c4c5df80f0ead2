// Arrays of sbatch ("--array=0-7%3") as the jobs they stand for.
#pragma once

#include "study/workload_reader.hpp"

namespace trainyard {

// Every job whose options ask for an array becomes its tasks, named "<job>_<task>". How many may
// run at once is for policy `slurm` to see to.
void expand_arrays(Workload& workload);

}  // namespace trainyard
