// What ranks of a dense model send, against formulas written here.
#include "messages_sent.hpp"
#include "workload/models/parameters.hpp"
#include "workload/steps/make_job_program.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

TEST(TensorRanks, AllReduceTwiceALayerEachWay) {
  const ModelSpec model = small_gpt();
  Layout layout;
  layout.tensor = 4;
  layout.micro_batch = 2;
  layout.global_batch = 6;
  const JobProgram job = make_job_program(model, layout, 4, PeakTimes());
  const std::int64_t m = 3, l = model.layers, sb = kSequence * 2, hidden = 2 * sb * kHidden;
  // A layer: two forward, two backward. Embedding: one forward. Head: one backward, and three of
  // one 32-bit number a token for the loss.
  const Sent hidden_states{static_cast<int>(m * (4 * l + 2)), m * (4 * l + 2) * hidden};
  const Sent loss{static_cast<int>(3 * m), 3 * m * 4 * sb};
  EXPECT_EQ(messages(job, 0, "tp", kAllReduce),
            (Sent{hidden_states.count + loss.count, hidden_states.bytes + loss.bytes}));
}

TEST(TensorRanksWithSequenceParallelism, GatherTheInputAgainInTheBackwardPass) {
  ModelSpec model = small_gpt();
  model.positions = Positions::Rotary;
  Layout layout;
  layout.tensor = 4;
  layout.sequence_parallel = true;
  layout.micro_batch = 2;
  layout.global_batch = 6;
  const JobProgram job = make_job_program(model, layout, 4, PeakTimes());
  const std::int64_t m = 3, l = model.layers, hidden = 2 * (kSequence * 2) * kHidden;
  // A layer forward: 2 gathers, 2 scatters. Backward: 2 gathers of gradients, 2 of the inputs
  // again, 2 scatters. Embedding: a scatter and, backward, a gather. Head: a gather; backward a
  // gather again and a scatter.
  const std::int64_t gathers = m * (6 * l + 3), scatters = m * (4 * l + 2);
  EXPECT_EQ(messages(job, 0, "tp", kAllGather),
            (Sent{static_cast<int>(gathers), gathers * hidden}));
  EXPECT_EQ(messages(job, 0, "tp", kReduceScatter),
            (Sent{static_cast<int>(scatters), scatters * hidden}));
  // Norms (weight and bias, two a layer and the last) and the biases added after a scatter.
  const std::int64_t replicated = l * kHidden * (2 * 2 + 2) + 2 * kHidden;
  EXPECT_EQ(messages(job, 0, "tp", kAllReduce),
            (Sent{static_cast<int>(3 * m) + 1, 3 * m * 4 * kHidden + 4 * replicated}));
}

// With the matrices as long as what they wait for, all but one piece of each is hidden.
TEST(OverlappedTensorRanks, SendTheSameAndHideAllButOnePieceOfAMatrix) {
  ModelSpec model = small_gpt();
  model.positions = Positions::Rotary;
  Layout layout;
  layout.tensor = 4;
  layout.sequence_parallel = true;
  layout.global_batch = 1;
  const JobProgram plain = make_job_program(model, layout, 4, PeakTimes());
  layout.overlap_tensor = true;
  const JobProgram hidden = make_job_program(model, layout, 4, PeakTimes());
  for (const CollectiveKind kind : {kAllGather, kReduceScatter})
    EXPECT_EQ(messages(hidden, 0, "tp", kind), messages(plain, 0, "tp", kind));
  const auto short_time = [](const Operation&) { return 1e-7; };
  const testing::Played apart = testing::Rendezvous(plain, short_time).play();
  const testing::Played beside = testing::Rendezvous(hidden, short_time).play();
  EXPECT_NEAR(apart.computed[0], beside.computed[0], 1e-12);
  // A layer: four forward and two backward are hidden whole, the two beside gradients always.
  EXPECT_NEAR(apart.end - beside.end, 8 * 6 * 1e-7, 1e-10);
}

TEST(DataRanks, AllReduceEveryGradientOnceAStepIn32Bits) {
  const ModelSpec model = small_gpt();
  Layout layout;
  layout.global_batch = 16;
  const JobProgram job = make_job_program(model, layout, 4, PeakTimes());
  const std::int64_t parameters = model_parameters(model, 51200).total();
  // Megatron's paper: 12 l h^2 (1 + 13 / 12h + (V + s) / 12lh), and the last norm.
  const std::int64_t h = kHidden, l = 8;
  EXPECT_EQ(parameters, 12 * l * h * h + 13 * l * h + (51200 + kSequence) * h + 2 * h);
  EXPECT_EQ(messages(job, 3, "dp", kAllReduce).bytes, 4 * parameters);
  EXPECT_EQ(messages(job, 3, "dp", kAllGather), Sent());
}

TEST(DistributedOptimizer, ScattersGradientsIn32BitsAndGathersParametersIn16) {
  const ModelSpec model = small_gpt();
  for (const bool overlap : {true, false}) {
    Layout layout;
    layout.global_batch = 16;
    layout.tensor = 2;
    layout.zero = 1;
    layout.overlap_grad_reduce = layout.overlap_param_gather = overlap;
    const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
    const Parameters all = model_parameters(model, 51200);
    const std::int64_t local = all.matrices / 2 + all.replicated;
    EXPECT_EQ(messages(job, 0, "dp", kReduceScatter).bytes, 4 * local);
    EXPECT_EQ(messages(job, 0, "dp", kAllGather).bytes, 2 * local);
    EXPECT_EQ(messages(job, 0, "dp", kAllReduce), Sent());
    EXPECT_EQ(messages(job, 0, "dp", kReduceScatter).count == 1, !overlap);
  }
}

TEST(PipelineStages, SendOneHiddenStateAMicroBatchEachWay) {
  const ModelSpec model = small_gpt();
  Layout layout;
  layout.pipeline = 4;
  layout.tensor = 2;
  layout.sequence_parallel = true;
  layout.global_batch = 8;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const std::int64_t each =
      2 * kSequence * kHidden / 2;  // with sequence parallelism: a rank's own part
  const Sent all{8, 8 * each};
  const int first = 0, middle = 2, last = 7;  // tensor ranks are neighbours
  EXPECT_EQ(messages(job, first, "pp_forward_out", kSendRecv), all);
  EXPECT_EQ(messages(job, first, "pp_forward_in", kSendRecv), Sent());
  EXPECT_EQ(messages(job, first, "pp_backward_in", kSendRecv), all);
  EXPECT_EQ(messages(job, middle, "pp_forward_in", kSendRecv), all);
  EXPECT_EQ(messages(job, middle, "pp_backward_out", kSendRecv), all);
  EXPECT_EQ(messages(job, last, "pp_forward_in", kSendRecv), all);
  EXPECT_EQ(messages(job, last, "pp_backward_out", kSendRecv), all);
  EXPECT_EQ(messages(job, last, "pp_forward_out", kSendRecv), Sent());
}

TEST(ATiedEmbedding, IsSummedOverTheFirstAndTheLastStage) {
  Layout layout;
  layout.pipeline = 4;
  layout.tensor = 2;
  layout.global_batch = 8;
  const JobProgram job = make_job_program(small_gpt(), layout, 8, PeakTimes());
  const Sent words{1, 4LL * 51200 / 2 * kHidden};
  EXPECT_EQ(messages(job, 0, "embedding", kAllReduce), words);
  EXPECT_EQ(messages(job, 7, "embedding", kAllReduce), words);
  EXPECT_EQ(messages(job, 2, "embedding", kAllReduce), Sent());
}

TEST(FullRecomputation, RepeatsTheForwardPassWithWhatItCommunicates) {
  const ModelSpec model = small_gpt();
  Layout layout;
  layout.tensor = 4;
  layout.global_batch = 1;
  const auto plain = messages(make_job_program(model, layout, 4, PeakTimes()), 0, "tp", kAllReduce);
  layout.recompute = Recompute::Full;
  const auto again = messages(make_job_program(model, layout, 4, PeakTimes()), 0, "tp", kAllReduce);
  EXPECT_EQ(again.count - plain.count, 2 * model.layers);
}

TEST(AStage, IsAFewThousandOperationsEvenFor405B) {
  ModelSpec model = small_gpt();
  model.layers = 126;
  model.hidden = 16384;
  model.heads = 128;
  model.key_value_heads = 8;
  model.head_dim = model.value_dim = 128;
  model.ffn = 53248;
  model.gated = true;
  model.tied_embeddings = model.biases = model.dropout = false;
  model.positions = Positions::Rotary;
  model.sequence = 8192;
  Layout layout;
  layout.tensor = 8;
  layout.sequence_parallel = true;
  layout.pipeline = 16;
  layout.count_embedding = true;
  layout.global_batch = 16 * 128;
  layout.zero = 1;
  const JobProgram job = make_job_program(model, layout, 16384, PeakTimes());
  for (const Program& program : job.programs) EXPECT_LT(program.operations.size(), 4000U);
}

}  // namespace
}  // namespace trainyard
