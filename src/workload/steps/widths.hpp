// Widths: how a number of GPUs is divided, once model, layout and GPUs are known to fit together.
//
// INVARIANT: tensor x context x data x pipeline = expert_tensor x expert x expert_data x pipeline =
// the job's GPUs; shard x replicas = context x data (gradients of one parameter are summed over
// context ranks too).
#pragma once

#include "workload/models/model_spec.hpp"
#include "workload/steps/layout.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

struct Widths {
  int tensor = 1, context = 1, data = 1, pipeline = 1;
  int expert = 1, expert_tensor = 1, expert_data = 1;
  int shard = 1, replicas = 1;  // of parameters that are no expert's
  int micro_batches = 1;        // that each data rank passes in a step
  int virtual_stages = 1;       // chunks of layers on the way through the pipeline
  std::vector<int> layers;      // by virtual stage

  int gpus() const { return tensor * context * data * pipeline; }
};

// Throws InfeasibleError that names both sides of whatever does not divide.
Widths divide(const ModelSpec& model, const Layout& layout, int gpus);

// One rank's share of a micro-batch and of the vocabulary.
struct Share {
  std::int64_t sequence = 0;     // tokens of a sample
  std::int64_t local = 0;        // of them on one context rank
  std::int64_t tokens = 0;       // local x micro-batch
  std::int64_t held_tokens = 0;  // of them on one tensor rank between its regions
  std::int64_t vocabulary = 0;   // padded as Megatron does, to 128 x tensor width
};
Share share_of(const ModelSpec& model, const Layout& layout);

}  // namespace trainyard
