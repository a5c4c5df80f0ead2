// `trace:` of a workload: which file, and how its jobs become ours.
#pragma once

#include "study/plan_table.hpp"
#include "study/workload_reader.hpp"

#include <string>
#include <vector>

namespace trainyard {

// The trace's jobs with their plans, as jobs of the named workload. Adds what was dropped or is
// remarkable to `counts`. The caller finishes nothing.
std::vector<Job> read_trace(Section trace, const std::string& workload, PlanTable& plans,
                            const PathResolver& resolve,
                            std::map<std::string, std::int64_t>& counts);

}  // namespace trainyard
