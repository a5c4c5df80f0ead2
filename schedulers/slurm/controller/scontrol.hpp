// Operators' commands as they are typed: "scontrol update nodename=n02 state=down", "scancel {A}".
#pragma once

#include "schedulers/slurm/controller/commands.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

struct CommandResult {
  bool known = false;
  Decisions decisions;
  std::vector<int> answering;  // nodes set down that had jobs to end, and so will answer
};

CommandResult run_scontrol(Slurmctld& controller, const std::string& action, double now);

}  // namespace trainyard::slurm
