#include "workload/steps/writers/step_end.hpp"

namespace trainyard {

namespace {

using Chunks = std::vector<std::vector<Unit>>;

std::int64_t gradient_bytes(const Layout& layout) {
  return layout.gradients == Precision::Fp32 ? 4 : 2;
}

Message all_reduce(const StepPlan& plan, int slot, std::int64_t parameters) {
  return {slot, CollectiveKind::AllReduce, Bytes(parameters * gradient_bytes(plan.sizes.layout))};
}

// Under ZeRO 3 a rank has its part of a sum only.
std::int64_t held(const StepPlan& plan, std::int64_t parameters) {
  return plan.sizes.layout.zero == 3 ? parameters / plan.sizes.widths.shard : parameters;
}

// With sequence parallelism tensor ranks see different tokens: what they all hold is summed.
std::int64_t replicated_parameters(const StepPlan& plan, const Chunks& chunks) {
  const ModelSpec& model = plan.sizes.model;
  std::int64_t count = 0;
  if (!plan.sizes.layout.sequence_parallel) return count;
  for (const std::vector<Unit>& units : chunks)
    for (const Unit& unit : units) {
      if (unit.kind == Unit::Kind::Layer) count += layer_parameters(model, unit.layer).replicated;
      if (unit.kind == Unit::Kind::Head) count += head_parameters(model, 0).replicated;
    }
  return held(plan, count);
}

std::int64_t tied_parameters(const StepPlan& plan) {
  const std::int64_t words = plan.sizes.share.vocabulary / plan.sizes.layout.tensor;
  return held(plan, words * plan.sizes.model.hidden);
}

// Those whose optimizer state is this rank's.
std::int64_t optimized_parameters(const StepPlan& plan, const Chunks& chunks) {
  const Widths& widths = plan.sizes.widths;
  std::int64_t dense = 0, experts = 0;
  for (const std::vector<Unit>& units : chunks)
    for (const Unit& unit : units) dense += unit.dense, experts += unit.experts;
  if (plan.sizes.layout.zero == 0) return dense + experts;
  return dense / widths.shard + experts / widths.expert_data;
}

}  // namespace

void finish_step(ProgramWriter& writer, const StepPlan& plan, const Chunks& chunks,
                 DataWriter& data) {
  const std::int64_t optimized = optimized_parameters(plan, chunks);
  const Slots& slots = plan.slots;
  writer.label("");
  data.finish_gradients();
  writer.communicate("replicated gradients",
                     all_reduce(plan, slots.tensor, replicated_parameters(plan, chunks)));
  writer.communicate("embedding gradients",
                     all_reduce(plan, slots.embedding, tied_parameters(plan)));
  writer.communicate("mirrored gradients", all_reduce(plan, slots.mirror, optimized));
  writer.communicate("gradient norm", {slots.world, CollectiveKind::AllReduce, Bytes(4)});
  writer.compute("optimizer", optimizer_work(plan.sizes.layout, optimized, plan.sizes.times));
  data.finish_step();
}

}  // namespace trainyard
