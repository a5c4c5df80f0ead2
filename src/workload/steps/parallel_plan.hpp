// A model, the layout of its training, and how long its kernels take: the plan of a parallel job.
#pragma once

#include "base/quantity.hpp"
#include "workload/compute/efficiency.hpp"
#include "workload/models/model_spec.hpp"
#include "workload/steps/kernel.hpp"
#include "workload/steps/layout.hpp"
#include "workload/steps/step_source.hpp"

#include <memory>
#include <string>

namespace trainyard {

struct ParallelPlan final : StepSource {
  ModelSpec model;
  Layout layout;
  Efficiency efficiency;                     // of the GPUs it runs on
  std::shared_ptr<const KernelTimes> times;  // that efficiency, or a user's profile above it
  Bytes memory;                              // of a GPU, that a step must fit; 0: whatever it needs
  bool overlap_cost = true;                  // computing slows down beside collectives

  Bytes memory_used(int gpus) const override;
  int gpus_per_block(int gpus, int gpus_per_node) const override;
  int replica() const override { return layout.tensor * layout.context * layout.pipeline; }
  const Efficiency* overlap_efficiency() const override {
    return overlap_cost ? &efficiency : nullptr;
  }

private:
  std::shared_ptr<const JobProgram> make_program(int gpus) const override;
};

}  // namespace trainyard
