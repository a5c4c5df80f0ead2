#include "study/step_cases/step_predictor.hpp"

#include "actors/gpu_overlap.hpp"
#include "actors/isolated_step.hpp"
#include "actors/job_model/job_model.hpp"
#include "workload/compute/preset_times.hpp"
#include "workload/steps/make_job_program.hpp"

#include <algorithm>

namespace trainyard {

namespace {

Machine machine_of(const Bench& bench) {
  Machine machine;
  machine.platform = &bench.platform;
  machine.routing = bench.routing.get();
  machine.capacities = nominal_capacities(bench.platform);
  if (!bench.calibration.laws.empty()) machine.calibration = &bench.calibration;
  machine.gpu_slowdown.assign(bench.platform.gpus.size(), 1.0);
  return machine;
}

// Whole nodes, in order: rank order is the layout's affair.
Allocation first_nodes(const Platform& platform, int gpus) {
  const int per_node = std::min(gpus, platform.nodes.front().gpus);
  if (gpus % per_node != 0)
    throw InfeasibleError(
        {}, "gpus",
        std::to_string(gpus) + " GPUs are no whole number of nodes of " + std::to_string(per_node));
  Allocation allocation;
  allocation.gpus = place_ranks(platform, gpus / per_node, per_node, "pack_by_leaf");
  return allocation;
}

}  // namespace

const Bench& StepPredictor::bench(const std::string& file) {
  auto& made = benches_[file];
  if (!made) made = std::make_unique<Bench>(file);
  return *made;
}

Seconds StepPredictor::predict(const StepCase& one, const Efficiency& efficiency) {
  const Bench& here = bench(one.platform);
  const Machine machine = machine_of(here);
  const JobProgram job = make_job_program(one.model, one.layout, one.gpus, PresetTimes(efficiency));
  StepModel model = make_job_model(job, first_nodes(here.platform, one.gpus),
                                   {{true, true}, Merging::Serial}, machine);
  model.overlap = std::make_shared<GpuOverlap>(model, efficiency, machine.capacities);
  return isolated_step(model, machine);
}

}  // namespace trainyard
