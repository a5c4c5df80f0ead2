// What a job's collectives put on every link in one step, and how long a step takes alone.
#pragma once

#include "actors/machine.hpp"
#include "actors/step_model.hpp"

#include <vector>

namespace trainyard {

struct LinkBytes {
  LinkId link;
  double bytes = 0;
};

struct JobTraffic {
  Seconds step;                  // alone, on the links it crosses
  std::vector<LinkBytes> links;  // ascending
};

// Collectives folded into delays stay inside nodes and are left out.
JobTraffic job_traffic(const StepModel& model, const Machine& machine);

}  // namespace trainyard
