// How long the simulator says that the step of a case takes, without an engine: the job alone on
// the first nodes of its platform.
#pragma once

#include "study/step_cases/step_case.hpp"
#include "study/validation/comparison.hpp"
#include "workload/compute/efficiency.hpp"

#include <map>
#include <memory>
#include <string>

namespace trainyard {

class StepPredictor {
public:
  // Throws InfeasibleError where model, layout and platform do not fit.
  Seconds predict(const StepCase& one, const Efficiency& efficiency);

  // What the platform of the case says its GPUs are.
  const std::string& gpu_of(const StepCase& one) {
    return bench(one.platform).platform.hardware.gpu;
  }

private:
  const Bench& bench(const std::string& file);
  std::map<std::string, std::unique_ptr<Bench>> benches_;  // by file
};

}  // namespace trainyard
