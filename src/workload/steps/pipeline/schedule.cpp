#include "workload/steps/pipeline/schedule.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using Kind = StagePass::Kind;

// 1F1B's frame: forward passes ahead, then in turn, then the backward passes that are left.
template <typename Backward>
StageSchedule in_turn(int stages, int micro_batches, int stage, const Backward& backward) {
  const int ahead = std::min(stages - 1 - stage, micro_batches);
  StageSchedule passes;
  for (int m = 0; m < ahead; ++m) passes.push_back({Kind::Forward, m});
  for (int m = 0; m < micro_batches; ++m) {
    if (m + ahead < micro_batches) passes.push_back({Kind::Forward, m + ahead});
    backward(passes, m);
  }
  return passes;
}

// The k-th pass of a kind in the interleaved order.
StagePass interleaved_pass(const Interleaving& how, Kind kind, int k) {
  const int round = how.stages * how.chunks;
  const int chunk = k % round / how.stages;
  StagePass pass{kind, k / round * how.stages + k % how.stages};
  pass.chunk = kind == Kind::Forward ? chunk : how.chunks - 1 - chunk;
  return pass;
}

}  // namespace

StageSchedule gpipe(int /*stages*/, int micro_batches, int /*stage*/) {
  StageSchedule passes;
  for (int m = 0; m < micro_batches; ++m) passes.push_back({Kind::Forward, m});
  for (int m = micro_batches - 1; m >= 0; --m) passes.push_back({Kind::Backward, m});
  return passes;
}

StageSchedule one_forward_one_backward(int stages, int micro_batches, int stage) {
  return in_turn(stages, micro_batches, stage, [](StageSchedule& passes, int m) {
    passes.push_back({Kind::Backward, m});
  });
}

StageSchedule zero_bubble_h1(int stages, int micro_batches, int stage) {
  StageSchedule passes =
      in_turn(stages, micro_batches, stage, [stage](StageSchedule& so_far, int m) {
        if (stage == 0) return so_far.push_back({Kind::Backward, m});
        so_far.push_back({Kind::InputGradients, m});
        if (m >= stage) so_far.push_back({Kind::WeightGradients, m - stage});
      });
  for (int m = std::max(0, micro_batches - stage); stage > 0 && m < micro_batches; ++m)
    passes.push_back({Kind::WeightGradients, m});
  return passes;
}

StageSchedule interleaved(const Interleaving& how, int stage) {
  const int passes_each = how.micro_batches * how.chunks;
  const int warm_up = how.micro_batches == how.stages
                          ? passes_each
                          : (how.stages - 1 - stage) * 2 + (how.chunks - 1) * how.stages;
  const int ahead = std::min(warm_up, passes_each);
  StageSchedule passes;
  for (int k = 0; k < ahead; ++k) passes.push_back(interleaved_pass(how, Kind::Forward, k));
  for (int k = 0; k < passes_each; ++k) {
    if (k + ahead < passes_each) passes.push_back(interleaved_pass(how, Kind::Forward, k + ahead));
    passes.push_back(interleaved_pass(how, Kind::Backward, k));
  }
  return passes;
}

StageSchedule schedule(const Layout& layout, int micro_batches, int stage) {
  switch (layout.schedule) {
    case PipelineSchedule::GPipe:
      return gpipe(layout.pipeline, micro_batches, stage);
    case PipelineSchedule::OneForwardOneBackward:
      return one_forward_one_backward(layout.pipeline, micro_batches, stage);
    case PipelineSchedule::Interleaved:
      return interleaved({layout.pipeline, layout.chunks, micro_batches}, stage);
    case PipelineSchedule::ZeroBubbleH1:
      return zero_bubble_h1(layout.pipeline, micro_batches, stage);
    case PipelineSchedule::DualPipe:
      return dualpipe(layout.pipeline, micro_batches, stage);
  }
  return {};
}

StagePlace place_of(const Layout& layout, int virtual_stage, int way) {
  if (layout.schedule == PipelineSchedule::DualPipe)
    return {way == 0 ? virtual_stage : layout.pipeline - 1 - virtual_stage, way};
  return {virtual_stage % layout.pipeline, virtual_stage / layout.pipeline};
}

int virtual_stage_of(const Layout& layout, StagePlace place) {
  if (layout.schedule == PipelineSchedule::DualPipe)
    return place.chunk == 0 ? place.stage : layout.pipeline - 1 - place.stage;
  return place.chunk * layout.pipeline + place.stage;
}

}  // namespace trainyard
