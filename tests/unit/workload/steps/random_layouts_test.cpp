// Whatever the layout: programs without cycles, collectives that match in number, kind and size,
// and a step that ends.
#include "base/rng.hpp"
#include "rendezvous.hpp"
#include "workload/steps/make_job_program.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace trainyard {
namespace {

using testing::PeakTimes;
using testing::Played;
using testing::Rendezvous;
using testing::small_gpt;
using testing::small_moe;

class Dice {
public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return *(values.begin() + random_() % values.size());
  }
  bool flip() { return one_of({false, true}); }

private:
  std::mt19937_64 random_;
};

void roll_pipeline(Dice& dice, Layout& layout) {
  layout.pipeline = dice.one_of({1, 2, 4});
  if (layout.pipeline > 1)
    layout.schedule = dice.one_of({PipelineSchedule::GPipe, PipelineSchedule::OneForwardOneBackward,
                                   PipelineSchedule::Interleaved, PipelineSchedule::ZeroBubbleH1,
                                   PipelineSchedule::DualPipe});
  if (layout.schedule == PipelineSchedule::Interleaved) layout.chunks = 2;
  if (layout.schedule == PipelineSchedule::DualPipe) layout.chunks = 2;
  layout.overlap_p2p = layout.schedule == PipelineSchedule::DualPipe || dice.flip();
}

Layout roll_layout(Dice& dice) {
  Layout layout;
  layout.tensor = dice.one_of({1, 2, 4});
  layout.sequence_parallel = dice.flip();
  layout.overlap_tensor = layout.sequence_parallel && dice.flip();
  roll_pipeline(dice, layout);
  layout.scatter_gather = !layout.sequence_parallel && dice.flip();
  layout.context = dice.one_of({1, 1, 2, 4});
  layout.context_exchange = dice.one_of({ContextExchange::Ring, ContextExchange::AllGather});
  layout.expert = dice.one_of({1, 2, 4, 8});
  layout.expert_tensor = dice.one_of({1, layout.tensor});
  layout.order = dice.one_of<const char*>({"tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "tp-dp-cp-ep-pp"});
  layout.zero = dice.one_of({0, 1, 2, 3});
  layout.shard_group = layout.zero > 0 ? dice.one_of({0, 0, 2}) : 0;
  layout.reshard_after_forward = dice.flip();
  layout.reduce_every_micro_batch = dice.flip();
  layout.overlap_grad_reduce = dice.flip();
  layout.overlap_param_gather = dice.flip();
  layout.bucket_parameters = dice.one_of({0, 1, 30'000'000});
  layout.clip_gradients = dice.flip();
  layout.recompute = dice.one_of({Recompute::None, Recompute::Selective, Recompute::Full});
  layout.attention = dice.one_of({AttentionKernel::Flash, AttentionKernel::Unfused});
  return layout;
}

std::string description(const Layout& layout, int gpus) {
  return std::to_string(gpus) + " GPUs, tensor " + std::to_string(layout.tensor) + ", pipeline " +
         std::to_string(layout.pipeline) + ", schedule " +
         std::to_string(static_cast<int>(layout.schedule)) + ", context " +
         std::to_string(layout.context) + ", expert " + std::to_string(layout.expert) + ", zero " +
         std::to_string(layout.zero) + ", order " + layout.order;
}

void expect_sound(const JobProgram& job) {
  for (const Program& program : job.programs) EXPECT_EQ(dependency_cycle(program), "");
  const Played played = Rendezvous(job).play();
  EXPECT_EQ(played.stuck, "");
  // With communication for nothing, a rank that computes all the time bounds the step.
  for (const double computed : played.computed) EXPECT_LE(computed, played.end * (1 + 1e-9));
}

// How many of `wanted` layouts that fit were tried.
int try_layouts(const ModelSpec& model, std::uint64_t seed, int wanted) {
  int tried = 0;
  Dice dice(seed);
  for (int roll = 0; tried < wanted && roll < 100 * wanted; ++roll) {
    Layout layout = roll_layout(dice);
    const int gpus = layout.tensor * layout.context * layout.pipeline * dice.one_of({1, 2, 4, 8});
    layout.global_batch = dice.one_of({8, 16, 32, 64});
    layout.micro_batch = dice.one_of({1, 2});
    try {
      const JobProgram job = make_job_program(model, layout, gpus, PeakTimes());
      SCOPED_TRACE(description(layout, gpus));
      expect_sound(job);
      ++tried;
    } catch (const InfeasibleError&) {
    }
    if (::testing::Test::HasFailure()) break;
  }
  return tried;
}

TEST(AnyLayout, OfADenseModelPlaysToItsEnd) { EXPECT_EQ(try_layouts(small_gpt(), 1, 60), 60); }

TEST(AnyLayout, OfAModelWithExpertsPlaysToItsEnd) {
  EXPECT_EQ(try_layouts(small_moe(), 2, 60), 60);
}

TEST(ProcessGroups, ArePartsOfTheJobEachRankOfWhichKnowsIt) {
  Layout layout;
  layout.tensor = 2;
  layout.sequence_parallel = true;
  layout.pipeline = 2;
  layout.context = 2;
  layout.expert = 4;
  layout.expert_tensor = 1;
  layout.zero = 1;
  layout.global_batch = 8;
  const JobProgram job = make_job_program(small_moe(), layout, 32, PeakTimes());
  ASSERT_EQ(job.ranks.size(), 32U);
  for (std::size_t g = 0; g < job.groups.size(); ++g)
    for (const int rank : job.groups[g].ranks) {
      const std::vector<int>& known = job.ranks[static_cast<std::size_t>(rank)].groups;
      EXPECT_EQ(std::count(known.begin(), known.end(), static_cast<int>(g)), 1);
    }
}

// Megatron-LM's documentation of parallel_state: 16 ranks, tensor 2, pipeline 4 have tensor groups
// [0, 1] ..., data groups [0, 2], [1, 3], [4, 6] ..., pipeline groups [0, 4, 8, 12] ...
TEST(RankOrder, IsMegatronsByDefault) {
  Layout layout;
  layout.tensor = 2;
  layout.pipeline = 4;
  layout.global_batch = 8;
  const JobProgram job = make_job_program(small_gpt(), layout, 16, PeakTimes());
  std::set<std::vector<int>> tensor, data, forward;
  for (const ProcessGroup& group : job.groups) {
    const std::string& slot = job.slots[static_cast<std::size_t>(group.slot)].name;
    if (slot == "tp") tensor.insert(group.ranks);
    if (slot == "dp") data.insert(group.ranks);
    if (slot == "pp_forward_out") forward.insert(group.ranks);
  }
  EXPECT_EQ(tensor.size(), 8U);
  EXPECT_EQ(tensor.count({14, 15}), 1U);
  EXPECT_EQ(data.count({0, 2}) + data.count({1, 3}) + data.count({13, 15}), 3U);
  EXPECT_EQ(forward.count({0, 4}) + forward.count({4, 8}) + forward.count({8, 12}), 3U);
  EXPECT_EQ(job.ranks[12].program, 3);
}

}  // namespace
}  // namespace trainyard
