// What a step keeps in a GPU's memory, by pipeline stage: an estimate from below.
//
// Activations are those that Korthikanti et al. count (arXiv 2205.05198: 34 s b h + 5 a s^2 b a
// layer, by what is divided and what is recomputed), generalised to gated MLPs, grouped heads,
// fused attention and experts; as many micro-batches as the schedule has in flight at its worst.
// Not counted: the framework's own, communication buffers, fragmentation.
#pragma once

#include "workload/steps/widths.hpp"

#include <vector>

namespace trainyard {

struct StageMemory {
  Bytes weights;  // 16-bit, gathered ones included
  Bytes gradients;
  Bytes optimizer;    // 32-bit master copy and Adam's two moments
  Bytes activations;  // at their peak
  Bytes logits;       // 32-bit, of the last stage
  Bytes total() const { return weights + gradients + optimizer + activations + logits; }
};

std::vector<StageMemory> memory_by_stage(const ModelSpec& model, const Layout& layout, int gpus);

// Throws InfeasibleError, which names the parts, if a stage needs more than a GPU has.
void check_memory(const ModelSpec& model, const Layout& layout, int gpus, Bytes of_gpu);

// Of one layer and one micro-batch on one rank, nothing recomputed but what `recompute` says.
std::int64_t layer_activations(const ModelSpec& model, const Layout& layout, const Widths& widths,
                               int layer);

}  // namespace trainyard
