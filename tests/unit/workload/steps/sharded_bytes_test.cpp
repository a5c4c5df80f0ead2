// What ranks send that shard parameters (FSDP), experts or the sequence, against formulas written
// here.
#include "messages_sent.hpp"
#include "workload/models/parameters.hpp"
#include "workload/steps/make_job_program.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

// Layers; embedding, positions, last norm: the root, whose parameters stay until it is done.
struct Fsdp {
  std::int64_t layers, root;
};
Fsdp parameters_of(const ModelSpec& model) {
  const std::int64_t layers = model.layers * layer_parameters(model, 0).total();
  return {layers, model_parameters(model, 51200).total() - layers};
}

Layout fsdp() {
  Layout layout;
  layout.zero = 3;
  layout.global_batch = 8 * 4;  // four micro-batches a rank
  layout.reduce_every_micro_batch = true;
  return layout;
}

TEST(FullySharded, GathersEveryLayerForEachPassOfEachMicroBatch) {
  const ModelSpec model = small_gpt();
  const JobProgram job = make_job_program(model, fsdp(), 8, PeakTimes());
  const Fsdp count = parameters_of(model);
  const Sent gathered{4 * (2 * model.layers + 2), 8 * (2 * count.layers + count.root)};
  const Sent reduced{4 * (model.layers + 2), 16 * (count.layers + count.root)};
  EXPECT_EQ(messages(job, 5, "dp", kAllGather), gathered);
  EXPECT_EQ(messages(job, 5, "dp", kReduceScatter), reduced);
  EXPECT_EQ(messages(job, 5, "dp", kAllReduce), Sent());
}

TEST(FullyShardedWithoutSync, ReducesGradientsOfTheLastMicroBatchOnly) {
  const ModelSpec model = small_gpt();
  Layout layout = fsdp();
  layout.reduce_every_micro_batch = false;
  layout.gradients = Precision::Bf16;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const Fsdp count = parameters_of(model);
  EXPECT_EQ(messages(job, 0, "dp", kReduceScatter),
            (Sent{model.layers + 2, 2 * (count.layers + count.root)}));
}

TEST(FullyShardedWithoutReshardingAfterForward, GathersOncePerMicroBatch) {
  const ModelSpec model = small_gpt();
  Layout layout = fsdp();
  layout.reshard_after_forward = false;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const Fsdp count = parameters_of(model);
  EXPECT_EQ(messages(job, 0, "dp", kAllGather),
            (Sent{4 * (model.layers + 2), 8 * (count.layers + count.root)}));
}

TEST(HybridSharding, AddsAnAllReduceOfTheShardOverTheCopies) {
  const ModelSpec model = small_gpt();
  Layout layout = fsdp();
  layout.shard_group = 2;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const Fsdp count = parameters_of(model);
  for (const ProcessGroup& group : job.groups) {
    const std::string& slot = job.slots[static_cast<std::size_t>(group.slot)].name;
    EXPECT_EQ(group.ranks.size(), slot == "dp" ? 2U : 4U) << slot;
  }
  EXPECT_EQ(messages(job, 0, "dp", kReduceScatter).bytes, 16 * (count.layers + count.root));
  EXPECT_EQ(messages(job, 0, "dp_replicas", kAllReduce).bytes,
            16 * (count.layers + count.root) / 2);
}

TEST(ZeroTwo, ReducesAfterEveryMicroBatchAndGathersParametersOnce) {
  Layout layout = fsdp();
  layout.zero = 2;
  const JobProgram job = make_job_program(small_gpt(), layout, 8, PeakTimes());
  const std::int64_t count = model_parameters(small_gpt(), 51200).total();
  EXPECT_EQ(messages(job, 0, "dp", kReduceScatter).bytes, 16 * count);
  EXPECT_EQ(messages(job, 0, "dp", kAllGather).bytes, 2 * count);
}

TEST(FullyShardedPipelines, GatherOnceAStepAndReduceOnce) {
  const ModelSpec model = small_gpt();
  Layout layout = fsdp();
  layout.pipeline = 2;
  layout.reshard_after_forward = layout.reduce_every_micro_batch = false;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const std::int64_t layers = 4 * layer_parameters(model, 0).total();
  const std::int64_t embedding = (51200 + kSequence) * kHidden;
  EXPECT_EQ(messages(job, 0, "dp", kAllGather), (Sent{5, 2 * (layers + embedding)}));
  EXPECT_EQ(messages(job, 0, "dp", kReduceScatter), (Sent{5, 4 * (layers + embedding)}));
}

TEST(ExpertRanks, ExchangeEveryTokenOncePerExpertItGoesToFourTimes) {
  const ModelSpec model = small_moe();
  Layout layout;
  layout.expert = 8;
  layout.global_batch = 8 * 3 * 2;
  layout.micro_batch = 2;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const std::int64_t m = 3, layers = 8 - 2, tokens = kSequence * 2, top_k = 2;
  const std::int64_t each = tokens * top_k * kHidden * 2;
  const std::int64_t count = 4 * m * layers;  // dispatch and combine, forward and backward
  EXPECT_EQ(messages(job, 0, "ep", kAllToAll), (Sent{static_cast<int>(count), count * each}));
  // Each of 8 ranks has 2 of 16 experts (three matrices each), and no other rank has them.
  EXPECT_EQ(messages(job, 0, "expert_dp", kAllReduce), Sent());
  const Parameters all = model_parameters(model, 51200);
  EXPECT_EQ(all.experts, layers * 16 * 3 * kHidden * 2048);
  EXPECT_EQ(messages(job, 0, "dp", kAllReduce).bytes, 4 * (all.matrices + all.replicated));
}

TEST(ExpertRanks, ReduceExpertsAmongThoseWhoHoldThem) {
  const ModelSpec model = small_moe();
  Layout layout;
  layout.expert = 4;
  layout.zero = 1;
  layout.global_batch = 16;
  const JobProgram job = make_job_program(model, layout, 16, PeakTimes());
  const std::int64_t experts = model_parameters(model, 51200).experts;
  EXPECT_EQ(messages(job, 0, "expert_dp", kReduceScatter).bytes, 4 * experts / 4);
  EXPECT_EQ(messages(job, 0, "expert_dp", kAllGather).bytes, 2 * experts / 4);
}

TEST(ExpertRanks, PadEveryExpertToItsCapacity) {
  ModelSpec model = small_moe();
  model.experts.capacity = 1.25;
  Layout layout;
  layout.expert = 8;
  layout.global_batch = 8;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const std::int64_t padded = kSequence * 2 * 5 / 4;
  EXPECT_EQ(messages(job, 0, "ep", kAllToAll).bytes, padded * kHidden * 2 * 24);
}

TEST(ExpertRanksBesideTensorRanks, DispatchTheirOwnPartOfTheSequence) {
  const ModelSpec model = small_moe();
  Layout layout;
  layout.tensor = 2;
  layout.sequence_parallel = true;
  layout.expert = 4;
  layout.expert_tensor = 1;
  layout.global_batch = 4;
  const JobProgram alone = make_job_program(model, layout, 8, PeakTimes());
  const std::int64_t each = kSequence / 2 * 2 * kHidden * 2;
  EXPECT_EQ(messages(alone, 0, "ep", kAllToAll).bytes, each * 24);

  // With experts divided by tensor ranks, these gather what was dispatched to each of them.
  layout.expert_tensor = 2;
  const JobProgram divided = make_job_program(model, layout, 8, PeakTimes());
  EXPECT_EQ(messages(divided, 0, "ep", kAllToAll).bytes, each * 24);
  EXPECT_EQ(
      messages(divided, 0, "tp", kAllGather).bytes - messages(alone, 0, "tp", kAllGather).bytes,
      each * 24);
}

TEST(ContextRanksInARing, PassKeysAndValuesOnAndTheirGradientsBehind) {
  const ModelSpec model = small_moe();  // 8 key/value heads of 16
  Layout layout;
  layout.context = 4;
  layout.tensor = 2;
  layout.sequence_parallel = true;
  layout.expert_tensor = 1;
  layout.global_batch = 3;
  const JobProgram job = make_job_program(model, layout, 8, PeakTimes());
  const std::int64_t m = 3, layers = 8, kv = (kSequence / 4) * (8 / 2) * 64 * 4;
  // Forward: keys and values 3 times. Backward: the same, and their gradients 3 times, from one
  // step later on: 4 messages.
  const Sent sent{static_cast<int>(m * layers * (3 + 4)), m * layers * kv * (3 + 6)};
  EXPECT_EQ(messages(job, 0, "cp_out", kSendRecv), sent);
  EXPECT_EQ(messages(job, 0, "cp_in", kSendRecv), sent);
  // Gradients are summed over context ranks too.
  for (const ProcessGroup& group : job.groups)
    if (job.slots[static_cast<std::size_t>(group.slot)].name == "dp") {
      EXPECT_EQ(group.ranks.size(), 4U);
    }
}

TEST(ContextRanksThatGather, DoSoTwiceAndScatterGradientsOnce) {
  const ModelSpec model = small_gpt();
  Layout layout;
  layout.context = 4;
  layout.context_exchange = ContextExchange::AllGather;
  layout.global_batch = 3;
  const JobProgram job = make_job_program(model, layout, 4, PeakTimes());
  const std::int64_t all = kSequence * 16 * 64 * 4;
  EXPECT_EQ(messages(job, 0, "cp", kAllGather), (Sent{3 * 8 * 2, all * 48}));
  EXPECT_EQ(messages(job, 0, "cp", kReduceScatter), (Sent{3 * 8, all * 24}));
}

}  // namespace
}  // namespace trainyard
