// The order in which a pipeline stage passes micro-batches: pure, one function a schedule.
//
// A stage holds one or more chunks of the model. A chunk's forward pass of a micro-batch needs the
// one of the virtual stage before; its backward pass that of the virtual stage after. A schedule
// may part a backward pass in two: input gradients, which the stage before waits for, and weight
// gradients, which nobody does.
//
// INVARIANT: every chunk of a stage passes its micro-batches forward once and backward once, whole
// or in both parts; a backward pass comes after its forward pass, weights after inputs.
#pragma once

#include "workload/steps/layout.hpp"

#include <vector>

namespace trainyard {

struct StagePass {
  enum class Kind { Forward, Backward, InputGradients, WeightGradients };
  Kind kind = Kind::Forward;
  int micro_batch = 0;
  int chunk = 0;
  bool beside_next = false;  // meant to overlap, communication with computing, with the next pass
};
using StageSchedule = std::vector<StagePass>;

// All forward passes, then all backward passes, the last first (GPipe, arXiv 1811.06965).
StageSchedule gpipe(int stages, int micro_batches, int stage);

// One forward, one backward, after as many forward passes as stages follow (PipeDream-Flush,
// Megatron-LM's schedule without interleaving).
StageSchedule one_forward_one_backward(int stages, int micro_batches, int stage);

// Megatron-LM's interleaved schedule (arXiv 2104.04473): a stage holds `chunks` chunks, and
// `stages` micro-batches go through one chunk before the next.
struct Interleaving {
  int stages, chunks, micro_batches;
};
StageSchedule interleaved(const Interleaving& how, int stage);

// ZB-H1 (arXiv 2401.10241): 1F1B with weight gradients put off by as many micro-batches as the
// stage's own number, so that no stage holds more than 1F1B's first.
StageSchedule zero_bubble_h1(int stages, int micro_batches, int stage);

// DualPipe (arXiv 2412.19437; deepseek-ai/DualPipe, dualpipe.py): half of the micro-batches enter
// at either end. Chunk 0 is the model's part `stage`, chunk 1 the part `stages - 1 - stage`, the
// copy that the other direction passes.
StageSchedule dualpipe(int stages, int micro_batches, int stage);

StageSchedule schedule(const Layout& layout, int micro_batches, int stage);

// Where virtual stage `virtual_stage` of a micro-batch's way is: DualPipe's second way (chunk 1) is
// the first, backwards.
struct StagePlace {
  int stage = 0;
  int chunk = 0;
};
StagePlace place_of(const Layout& layout, int virtual_stage, int way);
int virtual_stage_of(const Layout& layout, StagePlace place);

}  // namespace trainyard
