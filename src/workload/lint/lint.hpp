// Checks a JobProgram before anybody plays it: what NCCL would hang on, and what makes no sense.
//
// Errors: a dependency cycle; a process group with a rank that the job has not, or that does not
// know of it; members of a group whose collectives differ in count, order, kind or size; sends and
// receives that do not meet; a collective of no bytes (a barrier has none) or of one rank.
#pragma once

#include "workload/lint/finding.hpp"
#include "workload/steps/job_program.hpp"

#include <functional>
#include <string>
#include <vector>

namespace trainyard {

// Where a rank's operation stands, for people: of a plan its name, of a trace file and line.
using PlaceOf = std::function<std::string(int rank, int operation)>;

// In the order of the rules above, then of groups and ranks.
std::vector<LintFinding> lint(const JobProgram& job, const PlaceOf& place_of);
std::vector<LintFinding> lint(const JobProgram& job);

}  // namespace trainyard
