// TrainingPlan: a model and its parallel layout, and the Program of one step that follows from
// them.
//
// Layers run forward then backward on the compute stream. Tensor-parallel all-reduces (inside the
// node) block the layer that follows. Gradients of the data group are reduced in buckets that
// overlap the rest of the backward pass, one at a time, on their own stream; the optimizer waits
// for the last. Rank order is tensor fastest: rank = data_index * tensor + tensor_index.
#pragma once

#include "workload/program.hpp"
#include "workload/steps/step_source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct TrainingPlan {
  std::string name;
  int layers = 1;
  Seconds forward, backward;   // per layer and rank, at the plan's own tensor width
  Seconds optimizer;           // per step, after the last gradient has arrived
  int tensor = 1;              // width asked for; see tensor_width()
  int tensor_all_reduces = 2;  // per layer and direction (Megatron: 2 forward, 2 backward)
  Bytes tensor_message;        // of each; 0 when tensor == 1
  Bytes gradient_per_layer;    // data-parallel all-reduce, per rank
  int layers_per_bucket = 1;
  std::string all_reduce;                   // algorithm of the data group, "" for the default
  std::vector<Operation> custom;            // a Program given by the user instead of the above
  std::shared_ptr<const StepSource> steps;  // or programs that differ from rank to rank

  // The width a job of `gpus` GPUs really gets: the largest divisor of `gpus` that is no larger
  // than `tensor` and the GPUs of a node. A job whose size no tensor width divides thus still has a
  // plan; work per rank grows by tensor / width.
  int tensor_width(int gpus, int gpus_per_node) const;
};

// The plan of an elastic job: stated for `stated` GPUs, played by `gpus`. The global batch stays,
// so that a rank's share of it, and the messages made of it, are stated / gpus times as large;
// gradients and the optimizer are as they were.
TrainingPlan at_size(TrainingPlan plan, int stated, int gpus);

// {name?, layers: 24, forward: 2 ms, backward: 4 ms, optimizer: 0 s, tensor: 1,
//  tensor_all_reduces: 2, tensor_message: 64 MiB (needed if tensor > 1), gradient_per_layer: 100
//  MiB, layers_per_bucket: 1, all_reduce?: ring}
// or {name?, tensor: 1, operations: [...]}, a Program played as it stands: nothing in it is scaled.
TrainingPlan read_training_plan(Section& section);

// The Program every rank plays; not of a plan with `steps`. Compute operations that nothing else
// can tell apart are merged, and a collective among one rank is left out. Work per rank (forward,
// backward, optimizer, gradients) is that of the plan times tensor / width; a tensor message does
// not depend on the width. Streams: 0 compute, 1 tensor group, 2 data group.
Program make_program(const TrainingPlan& plan, int gpus, int gpus_per_node);

}  // namespace trainyard
