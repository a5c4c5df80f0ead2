// What a GPU's computing loses to the collectives it takes part in meanwhile: SMs and memory
// bandwidth (workload/compute/overlap.hpp says how much of each).
#pragma once

#include "actors/step_model.hpp"
#include "workload/compute/overlap.hpp"

#include <vector>

namespace trainyard {

class GpuOverlap final : public OverlapRule {
public:
  // Of the model's collectives, at the pace they have alone.
  GpuOverlap(const StepModel& model, const Efficiency& efficiency, const Capacities& capacities);

  double slowdown(const DelayPart& part, const std::vector<int>& collectives) const override;

private:
  const GpuType& gpu_;
  Efficiency efficiency_;
  const Resident& resident(int collective) const;

  std::vector<Resident> channels_, folded_;
};

}  // namespace trainyard
