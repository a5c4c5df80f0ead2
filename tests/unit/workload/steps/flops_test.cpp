// What all ranks compute together, which no layout changes.
#include "rendezvous.hpp"
#include "workload/models/parameters.hpp"
#include "workload/steps/make_job_program.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using testing::PeakTimes;
using testing::small_gpt;
using testing::small_moe;

double flops_of(const JobProgram& job) {
  double flops = 0;
  for (const RankRole& rank : job.ranks)
    for (const Operation& operation :
         job.programs[static_cast<std::size_t>(rank.program)].operations)
      flops += operation.flops;
  return flops;
}

// arXiv 2104.04473: 96 B s l h^2 (1 + s/6h + V/16lh), of matrices alone.
TEST(FlopsOfAStep, AreMegatronsFormulaWithFullRecomputation) {
  Layout layout;
  layout.recompute = Recompute::Full;
  layout.attention = AttentionKernel::Unfused;
  layout.global_batch = 16;
  for (const int pipeline : {1, 4})
    for (const int tensor : {1, 2}) {
      layout.pipeline = pipeline;
      layout.tensor = tensor;
      const int gpus = 2 * pipeline * tensor;
      const double flops = flops_of(make_job_program(small_gpt(), layout, gpus, PeakTimes()));
      const double b = 16, s = 512, l = 8, h = 1024, v = 51200;
      EXPECT_NEAR(flops / (96 * b * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h))), 1,
                  1e-12);
    }
}

// A token: six for every parameter of a matrix that it passes, and fused attention over the half of
// the sequence that it may see: two products forward, five backward.
TEST(FlopsOfAStep, AreSixAParameterAndSevenProductsOfAttentionWhateverTheLayout) {
  const ModelSpec model = small_moe();
  const double norms = (2 * 8 + 1) * 1024, embedding = 51200.0 * 1024;
  const double matrices = static_cast<double>(active_parameters(model)) - norms - embedding;
  const double attention = 8 * 7.0 * 512 * 1024;  // layers x 7 x (s / 2) x 2 h
  const double expected = 16 * 512 * (6 * matrices + attention);
  Layout layout;
  layout.global_batch = 16;
  EXPECT_NEAR(flops_of(make_job_program(model, layout, 4, PeakTimes())) / expected, 1, 1e-12);
  layout.tensor = 2;
  layout.sequence_parallel = layout.overlap_tensor = true;
  layout.context = 2;
  layout.pipeline = 2;
  layout.expert = 4;
  layout.expert_tensor = 1;
  EXPECT_NEAR(flops_of(make_job_program(model, layout, 16, PeakTimes())) / expected, 1, 1e-12);
  layout.expert_tensor = 2;
  layout.schedule = PipelineSchedule::ZeroBubbleH1;
  EXPECT_NEAR(flops_of(make_job_program(model, layout, 16, PeakTimes())) / expected, 1, 1e-12);
  layout.schedule = PipelineSchedule::DualPipe;
  layout.chunks = 2;
  EXPECT_NEAR(flops_of(make_job_program(model, layout, 16, PeakTimes())) / expected, 1, 1e-12);
}

}  // namespace
}  // namespace trainyard
