// Placement alone: each recorded allocation decided again, from the state recorded just before it.
#pragma once

#include "schedulers/slurm/golden/scenario.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

struct DecisionCheck {
  std::string id, mechanism;
  double time = 0;
  std::string expected, got;  // nodes and GPUs; `got` is "" if the job did not start

  bool matches() const { return expected == got; }
};

std::vector<DecisionCheck> check_decisions(const GoldenScenario& scenario);

}  // namespace trainyard::slurm
