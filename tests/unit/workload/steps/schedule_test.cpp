// Pipeline schedules: what each stage does when, and how long it idles.
#include "workload/steps/pipeline/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace trainyard {
namespace {

using Kind = StagePass::Kind;

struct PassTimes {
  double forward = 1, inputs = 1, weights = 1;  // of a chunk
  double of(Kind kind) const {
    switch (kind) {
      case Kind::Forward:
        return forward;
      case Kind::Backward:
        return inputs + weights;
      case Kind::InputGradients:
        return inputs;
      case Kind::WeightGradients:
        return weights;
    }
    return 0;
  }
};

Layout pipeline(PipelineSchedule schedule, int stages, int chunks = 1) {
  Layout layout;
  layout.schedule = schedule;
  layout.pipeline = stages;
  layout.chunks = chunks;
  return layout;
}

// When every pass ends if passes cost nothing but their time: kind, micro-batch, way, virtual
// stage.
class Timeline {
public:
  Timeline(const Layout& layout, int micro_batches, const PassTimes& times)
      : layout_(layout), times_(times), virtual_stages_(layout.pipeline * layout.chunks) {
    if (layout.schedule == PipelineSchedule::DualPipe) virtual_stages_ = layout.pipeline;
    for (int stage = 0; stage < layout.pipeline; ++stage)
      stages_.push_back({schedule(layout, micro_batches, stage), 0, 0});
    while (advance()) {
    }
  }

  bool complete() const {
    return std::all_of(stages_.begin(), stages_.end(),
                       [](const Stage& stage) { return stage.next == stage.passes.size(); });
  }
  double end() const {
    double last = 0;
    for (const Stage& stage : stages_) last = std::max(last, stage.free);
    return last;
  }

private:
  struct Stage {
    StageSchedule passes;
    std::size_t next;
    double free;
  };
  using Key = std::tuple<bool, int, int, int>;  // forward?, micro-batch, way, virtual stage

  bool advance() {
    bool moved = false;
    for (int s = 0; s < layout_.pipeline; ++s)
      while (step(stages_[static_cast<std::size_t>(s)], s)) moved = true;
    return moved;
  }

  // One pass, or two that overlap: those start together and end together.
  bool step(Stage& stage, int s) {
    if (stage.next == stage.passes.size()) return false;
    const std::size_t count = stage.passes[stage.next].beside_next ? 2 : 1;
    double start = stage.free, duration = 0;
    for (std::size_t i = stage.next; i < stage.next + count; ++i) {
      const double ready = ready_at(stage.passes[i], s);
      if (ready < 0) return false;
      start = std::max(start, ready);
      duration += times_.of(stage.passes[i].kind);
    }
    stage.free = start + duration;
    for (;; ++stage.next) {
      const StagePass& pass = stage.passes[stage.next];
      if (pass.kind != Kind::WeightGradients) ends_[key(pass, s)] = stage.free;
      if (!pass.beside_next) break;
    }
    ++stage.next;
    return true;
  }

  Key key(const StagePass& pass, int s) const {
    const int way = layout_.schedule == PipelineSchedule::DualPipe ? pass.chunk : 0;
    return {pass.kind == Kind::Forward, pass.micro_batch, way,
            virtual_stage_of(layout_, {s, pass.chunk})};
  }

  // When what a pass needs from another stage is there; -1: not known yet.
  double ready_at(const StagePass& pass, int s) const {
    if (pass.kind == Kind::WeightGradients) return 0;
    Key needed = key(pass, s);
    std::get<3>(needed) += pass.kind == Kind::Forward ? -1 : 1;
    if (std::get<3>(needed) < 0 || std::get<3>(needed) == virtual_stages_) return 0;
    const auto found = ends_.find(needed);
    return found == ends_.end() ? -1 : found->second;
  }

  Layout layout_;
  PassTimes times_;
  int virtual_stages_;
  std::vector<Stage> stages_;
  std::map<Key, double> ends_;
};

std::string text(const StageSchedule& passes) {
  std::string result;
  for (const StagePass& pass : passes) {
    const char* letters = "FBIW";
    if (!result.empty()) result += " ";
    result += letters[static_cast<int>(pass.kind)] + std::to_string(pass.micro_batch);
    if (pass.chunk > 0) result += "." + std::to_string(pass.chunk);
  }
  return result;
}

TEST(OneForwardOneBackward, GoesAheadByAsManyPassesAsStagesFollow) {
  EXPECT_EQ(text(one_forward_one_backward(3, 4, 0)), "F0 F1 F2 B0 F3 B1 B2 B3");
  EXPECT_EQ(text(one_forward_one_backward(3, 4, 2)), "F0 B0 F1 B1 F2 B2 F3 B3");
  EXPECT_EQ(text(one_forward_one_backward(4, 2, 0)), "F0 F1 B0 B1");
}

TEST(InterleavedSchedule, GoesRoundWithAsManyMicroBatchesAsStages) {
  // Megatron-LM for 2 stages of 2 chunks and 4 micro-batches: the first stage goes 2 (2-0-1) + 2.
  EXPECT_EQ(text(interleaved({2, 2, 4}, 0)),
            "F0 F1 F0.1 F1.1 F2 B0.1 F3 B1.1 F2.1 B0 F3.1 B1 B2.1 B3.1 B2 B3");
}

TEST(ZeroBubbleH1, PutsWeightGradientsOffByTheStagesNumber) {
  EXPECT_EQ(text(zero_bubble_h1(2, 3, 0)), "F0 F1 B0 F2 B1 B2");
  EXPECT_EQ(text(zero_bubble_h1(2, 3, 1)), "F0 I0 F1 I1 W0 F2 I2 W1 W2");
}

struct BubbleCase {
  int stages, micro_batches;
};
const BubbleCase kCases[] = {{2, 4}, {4, 8}, {4, 16}, {8, 16}, {8, 64}};

TEST(Bubbles, OfOneForwardOneBackwardAndGPipeAreStagesLessOneOverMicroBatches) {
  const PassTimes times{1.0, 1.1, 0.9};
  for (const auto& [p, m] : kCases)
    for (const auto kind : {PipelineSchedule::OneForwardOneBackward, PipelineSchedule::GPipe}) {
      const Timeline timeline(pipeline(kind, p), m, times);
      ASSERT_TRUE(timeline.complete());
      const double ideal = m * (1.0 + 1.1 + 0.9);
      EXPECT_NEAR(timeline.end() / ideal - 1, (p - 1.0) / m, 1e-9) << p << " stages, " << m;
    }
}

TEST(Bubbles, OfInterleavingShrinkByTheNumberOfChunks) {
  const int v = 3;
  for (const auto& [p, m] : kCases) {
    const Timeline timeline(pipeline(PipelineSchedule::Interleaved, p, v), m,
                            {1.0 / v, 1.0 / v, 1.0 / v});
    ASSERT_TRUE(timeline.complete());
    EXPECT_NEAR(timeline.end() / (3.0 * m) - 1, (p - 1.0) / (v * m), 1e-9) << p << ", " << m;
  }
}

TEST(Bubbles, OfZeroBubbleH1AreThePapersFormula) {  // arXiv 2401.10241: (p-1)(tF + tB - tW)
  for (const PassTimes times : {PassTimes{1, 1, 1}, PassTimes{1, 1.2, 0.8}, PassTimes{1, 1.1, 0.9}})
    for (const auto& [p, m] : kCases) {
      const Timeline timeline(pipeline(PipelineSchedule::ZeroBubbleH1, p), m, times);
      ASSERT_TRUE(timeline.complete());
      const double busy = m * (times.forward + times.inputs + times.weights);
      EXPECT_NEAR(timeline.end() - busy, (p - 1) * (times.forward + times.inputs - times.weights),
                  1e-9)
          << p << " stages, " << m << " micro-batches, W " << times.weights;
    }
}

// deepseek-ai/DualPipe: (p/2 - 1)(F&B + B - 3W), with F&B as long as F and B where nothing
// overlaps. The formula is that of a drawing with F, B and W equally long: there it is exact.
TEST(Bubbles, OfDualPipeAreItsAuthorsFormula) {
  const double f = 1, w = 1, b = 2;
  for (const auto& [p, m] : {BubbleCase{2, 8}, {4, 8}, {4, 16}, {8, 20}, {8, 64}, {16, 40}}) {
    const Timeline timeline(pipeline(PipelineSchedule::DualPipe, p, 2), m, {f, b - w, w});
    ASSERT_TRUE(timeline.complete()) << p << ", " << m;
    EXPECT_NEAR(timeline.end() - m * (f + b), (p / 2.0 - 1) * (f + b + b - 3 * w), 1e-9)
        << p << " stages, " << m << " micro-batches";
  }
}

TEST(Schedules, PassEveryMicroBatchOnceEachWay) {
  for (const auto& [p, m] : kCases)
    for (const Layout& layout :
         {pipeline(PipelineSchedule::GPipe, p), pipeline(PipelineSchedule::ZeroBubbleH1, p),
          pipeline(PipelineSchedule::Interleaved, p, 2),
          pipeline(PipelineSchedule::DualPipe, p, 2)}) {
      const bool dual = layout.schedule == PipelineSchedule::DualPipe;
      if (dual && m < 2 * p) continue;
      for (int stage = 0; stage < p; ++stage) {
        std::map<std::tuple<int, int, int>, int> seen;
        for (const StagePass& pass : schedule(layout, m, stage)) {
          if (pass.kind == Kind::Forward || pass.kind == Kind::Backward ||
              pass.kind == Kind::InputGradients)
            ++seen[{pass.kind == Kind::Forward, pass.chunk, pass.micro_batch}];
          if (pass.kind == Kind::Backward || pass.kind == Kind::WeightGradients)
            ++seen[{2, pass.chunk, pass.micro_batch}];
        }
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(3 * layout.chunks * (dual ? m / 2 : m)));
        for (const auto& [key, count] : seen) EXPECT_EQ(count, 1);
      }
    }
}

}  // namespace
}  // namespace trainyard
