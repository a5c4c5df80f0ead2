// What a step keeps in memory, against Korthikanti's formulas and the published columns.
#include "workload/steps/memory/memory.hpp"

#include "rendezvous.hpp"
#include "workload/models/parameters.hpp"
#include "workload/steps/parallel_plan.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::small_gpt;

// Of arXiv 2205.05198.
struct Row {
  const char* name;
  int layers, hidden, heads;
  int tensor, pipeline, chunks, micro_batch, global_batch;
  double state, none, selective;  // GiB: weights and optimizer, activations
};
const Row kRows[] = {{"22B", 48, 6144, 64, 8, 1, 1, 4, 4, 45.56, 59.25, 9.56},
                     {"175B", 96, 12288, 96, 8, 8, 3, 1, 64, 45.56, 66.84, 12.35},
                     {"530B", 105, 20480, 128, 8, 35, 3, 1, 280, 31.64, 114.02, 23.08},
                     {"1T", 128, 25600, 160, 8, 64, 1, 1, 512, 32.96, 131.25, 26.56}};

ModelSpec model_of(const Row& row) {
  ModelSpec model = small_gpt();
  model.layers = row.layers;
  model.hidden = row.hidden;
  model.heads = model.key_value_heads = row.heads;
  model.head_dim = model.value_dim = row.hidden / row.heads;
  model.ffn = std::int64_t{4} * row.hidden;
  model.sequence = 2048;
  return model;
}

Layout layout_of(const Row& row) {
  Layout layout;
  layout.tensor = row.tensor;
  layout.pipeline = row.pipeline;
  layout.chunks = row.chunks;
  if (row.chunks > 1) layout.schedule = PipelineSchedule::Interleaved;
  layout.micro_batch = row.micro_batch;
  layout.global_batch = row.global_batch;
  layout.attention = AttentionKernel::Unfused;
  return layout;
}

double in_gibibytes(Bytes size) { return static_cast<double>(size.count()) / (1LL << 30); }

TEST(PublishedMemory, IsMetWithinThreePercentWithNothingRecomputed) {
  for (const Row& row : kRows) {
    const auto stages = memory_by_stage(model_of(row), layout_of(row), row.tensor * row.pipeline);
    EXPECT_NEAR(in_gibibytes(stages.front().activations), row.none, 0.03 * row.none) << row.name;
    // The published state is that of layers alone: a stage in the middle, where there is one.
    const StageMemory& middle = stages[stages.size() / 2];
    EXPECT_NEAR(in_gibibytes(middle.weights + middle.gradients + middle.optimizer), row.state,
                0.03 * row.state)
        << row.name;
  }
}

TEST(PublishedMemory, IsMetWithSequenceParallelismAndSelectiveRecomputation) {
  for (const Row& row : kRows) {
    Layout layout = layout_of(row);
    layout.sequence_parallel = true;
    layout.recompute = Recompute::Selective;
    const auto stages = memory_by_stage(model_of(row), layout, row.tensor * row.pipeline);
    EXPECT_NEAR(in_gibibytes(stages.front().activations), row.selective, 0.03 * row.selective)
        << row.name;
  }
}

TEST(LayerActivations, AreKorthikantisFormulas) {
  const Row& row = kRows[1];
  const ModelSpec model = model_of(row);
  Layout layout = layout_of(row);
  const Widths widths = divide(model, layout, 64);
  const double s = 2048, b = 1, h = row.hidden, a = row.heads, t = 8;
  const auto bytes = [&] {
    return static_cast<double>(layer_activations(model, layout, widths, 0));
  };
  EXPECT_DOUBLE_EQ(bytes(), s * b * h * (10 + 24 / t + 5 * a * s / (h * t)));
  layout.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(bytes(), s * b * h / t * (34 + 5 * a * s / h));
  layout.recompute = Recompute::Selective;
  EXPECT_DOUBLE_EQ(bytes(), s * b * h * 34 / t);
}

TEST(FullRecomputation, KeepsALayersInputAndTheLayerBeingRecomputed) {
  const ModelSpec model = small_gpt();
  Layout layout;
  layout.global_batch = 1;
  const std::int64_t one = layer_activations(model, layout, divide(model, layout, 1), 0);
  layout.recompute = Recompute::Full;
  const std::int64_t hidden = 512LL * 1024;
  const std::int64_t ends = hidden + 4 * hidden;  // embedding's mask; the head's two inputs
  EXPECT_EQ(memory_by_stage(model, layout, 1)[0].activations.count(), hidden * 16 + one + ends);
}

TEST(ActivationsInFlight, AreThoseOfTheSchedule) {
  ModelSpec model = small_gpt();
  model.dropout = false;
  Layout layout;
  layout.pipeline = 4;
  layout.global_batch = 16;
  const auto first = [&] { return memory_by_stage(model, layout, 4)[0].activations.count(); };
  const std::int64_t chunk = first() / 4;  // 1F1B: as many micro-batches as stages
  layout.schedule = PipelineSchedule::GPipe;
  EXPECT_EQ(first(), 16 * chunk);
  layout.schedule = PipelineSchedule::ZeroBubbleH1;
  EXPECT_EQ(first(), 4 * chunk);
  layout.schedule = PipelineSchedule::Interleaved;
  layout.chunks = 2;
  EXPECT_EQ(first(), 4 * chunk + 3 * chunk / 2);  // 1 + (p - 1) / (p v)
  layout.schedule = PipelineSchedule::DualPipe;
  const std::int64_t head = 4 * 512LL * 1024;  // stage 0 holds the last part, too
  EXPECT_NEAR(static_cast<double>(first()), static_cast<double>(5 * chunk),
              static_cast<double>(4 * head));  // p + 1
}

TEST(ZeroStages, DivideOptimizerThenGradientsThenWeights) {
  const ModelSpec model = small_gpt();
  const std::int64_t count = model_parameters(model, 51200).total();
  const std::int64_t layer = layer_parameters(model, 0).total();
  Layout layout;
  layout.global_batch = 8;
  const auto memory = [&](int zero) {
    layout.zero = zero;
    return memory_by_stage(model, layout, 8)[0];
  };
  EXPECT_EQ(memory(0).optimizer.count(), 12 * count);
  EXPECT_EQ(memory(1).optimizer.count(), 12 * (count / 8));
  EXPECT_EQ(memory(1).gradients.count(), 4 * count);
  EXPECT_EQ(memory(2).gradients.count(), 4 * (count / 8));
  EXPECT_EQ(memory(2).weights.count(), 2 * count);
  EXPECT_EQ(memory(3).weights.count(), 2 * (count - 8 * layer + 2 * layer));
}

TEST(TooLittleMemory, IsNoPlan) {
  ParallelPlan plan;
  plan.model = small_gpt();
  plan.layout.global_batch = 8;
  plan.times = std::make_shared<testing::PeakTimes>();
  ParallelPlan in_little = plan;
  EXPECT_EQ(plan.program(8)->ranks.size(), 8U);
  in_little.memory = gibibytes(1);
  EXPECT_THROW(in_little.program(8), InfeasibleError);
}

TEST(TooLittleMemory, NamesTheParts) {
  ModelSpec model = small_gpt();
  Layout layout;
  layout.global_batch = 8;
  layout.place = {"plan.yaml", 3, 5};
  layout.path = "jobs[0].layout.";
  EXPECT_NO_THROW(check_memory(model, layout, 8, gibibytes(80)));
  try {
    check_memory(model, layout, 8, gibibytes(1));
    FAIL();
  } catch (const InfeasibleError& error) {
    EXPECT_THAT(error.what(),
                ::testing::MatchesRegex(
                    "plan.yaml:3:5: jobs.0..layout: 'small' needs .* GiB a GPU in pipeline stage "
                    "0, which has 1.0: weights .*, gradients .*, optimizer .*, activations .*, "
                    "logits .*"));
  }
}

}  // namespace
}  // namespace trainyard
