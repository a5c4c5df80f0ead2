// Golden scenarios whose replay is known to differ, and why. None is deleted or loosened: a
// scenario of this list that matches again is as much a surprise as one outside it that does not.
#pragma once

#include <string>

namespace trainyard::slurm {

// The reason, or nullptr if the scenario is expected to match.
const char* known_mismatch(const std::string& scenario);

}  // namespace trainyard::slurm
