#include "workload/steps/memory/memory.hpp"

#include "base/text.hpp"
#include "workload/steps/pipeline/schedule.hpp"
#include "workload/steps/units.hpp"

#include <algorithm>

namespace trainyard {

namespace {

struct Plan {
  const ModelSpec& model;
  const Layout& layout;
  const Widths& widths;
  Share share;
};

using Chunks = std::vector<std::vector<Unit>>;

Chunks chunks_of(const Plan& plan, int stage) {
  Chunks chunks;
  chunks.reserve(static_cast<std::size_t>(plan.layout.chunks));
  for (int chunk = 0; chunk < plan.layout.chunks; ++chunk)
    chunks.push_back(units_of(plan.model, plan.layout, plan.widths,
                              virtual_stage_of(plan.layout, {stage, chunk})));
  return chunks;
}

Unit sum_of(const Chunks& chunks) {
  Unit sum;
  for (const std::vector<Unit>& units : chunks)
    for (const Unit& unit : units) sum.dense += unit.dense, sum.experts += unit.experts;
  return sum;
}

std::int64_t parameters(const Unit& unit) { return unit.dense + unit.experts; }

std::int64_t sharded(const Plan& plan, const Unit& unit) {
  return unit.dense / plan.widths.shard + unit.experts / plan.widths.expert_data;
}

// ZeRO 3 that gives layers back after each pass holds two at a time, and the root's own.
std::int64_t weights_held(const Plan& plan, const Chunks& chunks) {
  if (plan.layout.zero < 3 || !plan.layout.reshard_after_forward) return parameters(sum_of(chunks));
  std::int64_t root = 0, largest = 0;
  for (const std::vector<Unit>& units : chunks)
    for (const Unit& unit : units) {
      if (unit.kind == Unit::Kind::Layer)
        largest = std::max(largest, parameters(unit));
      else
        root += parameters(unit);
    }
  return root + 2 * largest;
}

bool recomputed(const Layout& layout, int layer_of_chunk) {
  return layout.recompute == Recompute::Full &&
         (layout.recompute_layers == 0 || layer_of_chunk < layout.recompute_layers);
}

// Of one micro-batch in one chunk.
std::int64_t chunk_activations(const Plan& plan, const std::vector<Unit>& units) {
  const std::int64_t hidden = plan.share.held_tokens * plan.model.hidden;
  std::int64_t sum = 0;
  int layers = 0;
  for (const Unit& unit : units) {
    if (unit.kind == Unit::Kind::Embedding) sum += plan.model.dropout ? hidden : 0;  // a mask
    if (unit.kind == Unit::Kind::Head) sum += 4 * hidden;  // the norm's input and the matrix's
    if (unit.kind != Unit::Kind::Layer) continue;
    sum += recomputed(plan.layout, layers++)
               ? 2 * hidden
               : layer_activations(plan.model, plan.layout, plan.widths, unit.layer);
  }
  return sum;
}

// The layer that is being recomputed, while it is.
std::int64_t recomputing(const Plan& plan, const Chunks& chunks) {
  std::int64_t largest = 0;
  if (plan.layout.recompute != Recompute::Full) return 0;
  for (const std::vector<Unit>& units : chunks)
    for (const Unit& unit : units)
      if (unit.kind == Unit::Kind::Layer)
        largest =
            std::max(largest, layer_activations(plan.model, plan.layout, plan.widths, unit.layer));
  return largest;
}

// A chunk's activations stay from its forward pass until its weights have their gradients.
std::int64_t peak_activations(const Plan& plan, const Chunks& chunks, int stage) {
  std::vector<std::int64_t> each;
  each.reserve(chunks.size());
  for (const std::vector<Unit>& units : chunks) each.push_back(chunk_activations(plan, units));
  std::int64_t held = 0, peak = 0;
  for (const StagePass& pass : schedule(plan.layout, plan.widths.micro_batches, stage)) {
    const std::int64_t of_chunk = each[static_cast<std::size_t>(pass.chunk)];
    if (pass.kind == StagePass::Kind::Forward) held += of_chunk;
    peak = std::max(peak, held);
    if (pass.kind == StagePass::Kind::Backward || pass.kind == StagePass::Kind::WeightGradients)
      held -= of_chunk;
  }
  return peak + recomputing(plan, chunks);
}

StageMemory memory_of(const Plan& plan, int stage) {
  const Chunks chunks = chunks_of(plan, stage);
  const Unit all = sum_of(chunks);
  const int zero = plan.layout.zero;
  const std::int64_t gradient = plan.layout.gradients == Precision::Fp32 ? 4 : 2;
  StageMemory memory;
  memory.weights = Bytes(2 * weights_held(plan, chunks));
  memory.gradients = Bytes(gradient * (zero >= 2 ? sharded(plan, all) : parameters(all)));
  memory.optimizer = Bytes(12 * (zero >= 1 ? sharded(plan, all) : parameters(all)));
  memory.activations = Bytes(peak_activations(plan, chunks, stage));
  for (const std::vector<Unit>& units : chunks)
    if (!units.empty() && units.back().kind == Unit::Kind::Head)
      memory.logits = Bytes(4 * plan.share.tokens * (plan.share.vocabulary / plan.widths.tensor));
  return memory;
}

std::string gibibytes_text(Bytes size) {
  return fixed(static_cast<double>(size.count()) / static_cast<double>(gibibytes(1).count()), 1);
}

}  // namespace

std::vector<StageMemory> memory_by_stage(const ModelSpec& model, const Layout& layout, int gpus) {
  const Widths widths = divide(model, layout, gpus);
  const Plan plan{model, layout, widths, share_of(model, layout)};
  std::vector<StageMemory> stages;
  stages.reserve(static_cast<std::size_t>(widths.pipeline));
  for (int stage = 0; stage < widths.pipeline; ++stage) stages.push_back(memory_of(plan, stage));
  return stages;
}

void check_memory(const ModelSpec& model, const Layout& layout, int gpus, Bytes of_gpu) {
  const std::vector<StageMemory> stages = memory_by_stage(model, layout, gpus);
  const auto worst =
      std::max_element(stages.begin(), stages.end(),
                       [](const auto& a, const auto& b) { return a.total() < b.total(); });
  if (worst->total() <= of_gpu) return;
  throw InfeasibleError(
      layout.place, layout.path.empty() ? "" : layout.path.substr(0, layout.path.size() - 1),
      "'" + model.name + "' needs " + gibibytes_text(worst->total()) +
          " GiB a GPU in pipeline stage " + std::to_string(worst - stages.begin()) +
          ", which has " + gibibytes_text(of_gpu) + ": weights " + gibibytes_text(worst->weights) +
          ", gradients " + gibibytes_text(worst->gradients) + ", optimizer " +
          gibibytes_text(worst->optimizer) + ", activations " + gibibytes_text(worst->activations) +
          ", logits " + gibibytes_text(worst->logits));
}

}  // namespace trainyard
