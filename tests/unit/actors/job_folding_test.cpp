// Jobs of many programs, folded against unfolded: pipelines of stages, tensor and data groups, on
// machines with slow parts. Step times and link bytes are the same to 1e-9.
#include "actors/isolated_step.hpp"
#include "actors/job_model/job_model.hpp"
#include "unit/actors/random_worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace {

constexpr double kSame = 1e-9;

// Slots of the pipelines below.
enum Slot {
  SlotTensor,
  SlotData,
  SlotForwardIn,
  SlotForwardOut,
  SlotBackwardIn,
  SlotBackwardOut,
  SlotCount
};

struct Shape {
  int tensor = 1, data = 1, pipeline = 1, micro_batches = 1;
  int ranks() const { return tensor * data * pipeline; }
  int rank(int stage, int replica, int t) const { return (stage * data + replica) * tensor + t; }
};

// Lists the operations of one stage: forward and backward of every micro-batch, then gradients.
class Stage {
public:
  Stage(const Shape& shape, int stage, Dice& dice) : shape_(shape), stage_(stage) {
    const double work = dice.between(0.2, 3);
    for (int m = 0; m < shape.micro_batches; ++m) pass(SlotForwardIn, SlotForwardOut, work, m);
    for (int m = 0; m < shape.micro_batches; ++m)
      pass(SlotBackwardIn, SlotBackwardOut, 2 * work, m);
  }
  void add_gradients(Bytes size, bool overlap) {
    const int last = computed_;
    const int reduced =
        add(CollectiveKind::AllReduce, SlotData, size, 7, {overlap ? std::max(0, last - 2) : last});
    compute("optimizer", 1, {reduced});
  }
  Bytes activation = kibibytes(64), tensor_size = mebibytes(1);
  Program program;

private:
  void pass(int in, int out, double work, int m) {
    const bool forward = in == SlotForwardIn;
    const bool receives = forward ? stage_ > 0 : stage_ < shape_.pipeline - 1;
    const bool sends = forward ? stage_ < shape_.pipeline - 1 : stage_ > 0;
    std::vector<int> after;
    if (receives) after.push_back(add(CollectiveKind::SendRecv, in, activation, in, {}));
    compute("work" + std::to_string(m), work, after);
    if (shape_.tensor > 1) {
      const int reduced = add(CollectiveKind::AllReduce, SlotTensor, tensor_size, 1, {computed_});
      compute("rest" + std::to_string(m), work / 2, {reduced});
    }
    if (sends) add(CollectiveKind::SendRecv, out, activation, out, {computed_});
  }
  void compute(const std::string& name, double milliseconds_long, std::vector<int> after) {
    Operation operation;
    operation.name = name;
    operation.duration = milliseconds(milliseconds_long);
    operation.after = std::move(after);
    program.operations.push_back(operation);
    computed_ = static_cast<int>(program.operations.size()) - 1;
  }
  int add(CollectiveKind kind, int slot, Bytes size, int stream, std::vector<int> after) {
    Operation operation;
    operation.name = "c" + std::to_string(program.operations.size());
    operation.kind = Operation::Kind::Communicate;
    operation.collective = kind;
    operation.group = Group{slot};
    operation.stream = stream;
    operation.size = size;
    operation.after = std::move(after);
    program.operations.push_back(operation);
    return static_cast<int>(program.operations.size()) - 1;
  }

  const Shape& shape_;
  int stage_, computed_ = 0;
};

int add_group(JobProgram& job, int slot, std::vector<int> ranks) {
  job.groups.push_back({slot, std::move(ranks)});
  return static_cast<int>(job.groups.size()) - 1;
}

void join(JobProgram& job, int group, int slot) {
  for (const int rank : job.groups[static_cast<std::size_t>(group)].ranks)
    job.ranks[static_cast<std::size_t>(rank)].groups[static_cast<std::size_t>(slot)] = group;
}

void add_transfer(JobProgram& job, int from, int to, int out, int in) {
  const int group = add_group(job, out, {from, to});
  job.ranks[static_cast<std::size_t>(from)].groups[static_cast<std::size_t>(out)] = group;
  job.ranks[static_cast<std::size_t>(to)].groups[static_cast<std::size_t>(in)] = group;
}

JobProgram pipeline_job(const Shape& shape, Dice& dice) {
  JobProgram job;
  job.slots = {{"tp", Dimension::Tensor},
               {"dp", Dimension::Data},
               {"forward_in", Dimension::Pipeline},
               {"forward_out", Dimension::Pipeline},
               {"backward_in", Dimension::Pipeline},
               {"backward_out", Dimension::Pipeline}};
  const bool overlap = dice.chance(0.5);
  const Bytes gradients = mebibytes(dice.from(1, 200));
  for (int stage = 0; stage < shape.pipeline; ++stage) {
    Stage made(shape, stage, dice);
    if (shape.data > 1) made.add_gradients(gradients, overlap);
    job.programs.push_back(made.program);
    for (int i = 0; i < shape.data * shape.tensor; ++i)
      job.ranks.push_back({stage, std::vector<int>(SlotCount, -1)});
  }
  for (int stage = 0; stage < shape.pipeline; ++stage)
    for (int d = 0; d < shape.data; ++d) {
      std::vector<int> ranks;
      ranks.reserve(static_cast<std::size_t>(shape.tensor));
      for (int t = 0; t < shape.tensor; ++t) ranks.push_back(shape.rank(stage, d, t));
      if (shape.tensor > 1) join(job, add_group(job, SlotTensor, ranks), SlotTensor);
      for (int t = 0; stage > 0 && t < shape.tensor; ++t) {
        const int before = shape.rank(stage - 1, d, t), here = shape.rank(stage, d, t);
        add_transfer(job, before, here, SlotForwardOut, SlotForwardIn);
        add_transfer(job, here, before, SlotBackwardOut, SlotBackwardIn);
      }
    }
  for (int stage = 0; stage < shape.pipeline && shape.data > 1; ++stage)
    for (int t = 0; t < shape.tensor; ++t) {
      std::vector<int> ranks;
      ranks.reserve(static_cast<std::size_t>(shape.data));
      for (int d = 0; d < shape.data; ++d) ranks.push_back(shape.rank(stage, d, t));
      join(job, add_group(job, SlotData, ranks), SlotData);
    }
  return job;
}

Shape random_shape(Dice& dice, int gpus) {
  Shape shape;
  do {
    shape.tensor = dice.one_of<int>({1, 2, 4, 8});
    shape.data = dice.from(1, 4);
    shape.pipeline = dice.from(1, 4);
  } while (shape.ranks() > gpus || shape.ranks() == 1);
  shape.micro_batches = dice.from(1, 4);
  return shape;
}

Allocation placed(Dice& dice, int ranks, int gpus, int block) {
  std::vector<int> blocks(static_cast<std::size_t>(gpus / block));
  std::iota(blocks.begin(), blocks.end(), 0);
  if (dice.chance(0.4)) dice.shuffle(blocks);
  Allocation allocation;
  for (int rank = 0; rank < ranks; ++rank)
    allocation.gpus.emplace_back(blocks[static_cast<std::size_t>(rank / block)] * block +
                                 rank % block);
  return allocation;
}

double bytes_of_all(const StepModel& model) {
  double bytes = 0;
  const auto add = [&bytes](const Channel& channel) {
    for (const auto& group : channel.groups)
      for (const Demand& demand : group->demands) bytes += demand.load * group->length;
  };
  for (const Channel& channel : model.channels) add(channel);
  for (const RankClass& rank_class : model.classes)
    for (const int folded : rank_class.folded) add(model.folded[static_cast<std::size_t>(folded)]);
  return bytes;
}

// Thirty per cent for each collective beside a computation.
class DearOverlap final : public OverlapRule {
public:
  double slowdown(const DelayPart& part, const std::vector<int>& collectives) const override {
    return 1 + 0.3 * static_cast<double>(collectives.size()) * part.computing / part.seconds;
  }
};

}  // namespace

class JobFolding : public testing::TestWithParam<const char*> {};

TEST_P(JobFolding, KeepsTheIsolatedStepAndTheBytesOfRandomPipelines) {
  int folded_cases = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Dice dice(seed);
    World world(GetParam());
    if (dice.chance(0.6)) world.slow_down(dice);
    const int gpus = world.platform.gpu_count();
    const Shape shape = random_shape(dice, gpus);
    const JobProgram job = pipeline_job(shape, dice);
    const Allocation allocation = placed(dice, shape.ranks(), gpus, shape.tensor);
    const StepModel whole = make_job_model(job, allocation, {{false, true}}, world.machine);
    ASSERT_EQ(static_cast<int>(whole.classes.size()), shape.ranks());
    const double expected = in_seconds(isolated_step(whole, world.machine));
    ASSERT_GT(expected, 0) << "seed " << seed;
    for (const bool alone : {false, true}) {
      const StepModel folded = make_job_model(job, allocation, {{true, alone}}, world.machine);
      EXPECT_NEAR(in_seconds(isolated_step(folded, world.machine)), expected, kSame * expected)
          << "seed " << seed << (alone ? " alone" : "");
      const double bytes = bytes_of_all(whole);
      EXPECT_NEAR(bytes_of_all(folded), bytes, kSame * bytes) << "seed " << seed;
      if (alone && folded.classes.size() < whole.classes.size()) ++folded_cases;
    }
  }
  EXPECT_GT(folded_cases, 80);  // or there was little to compare
}

// Gradients that overlap the backward pass slow it down alike, folded or not.
TEST_P(JobFolding, KeepsWhatOverlapCosts) {
  int slower = 0;
  for (std::uint64_t seed = 500; seed < 560; ++seed) {
    Dice dice(seed);
    World world(GetParam());
    if (dice.chance(0.4)) world.slow_down(dice);
    const int gpus = world.platform.gpu_count();
    const Shape shape = random_shape(dice, gpus);
    const JobProgram job = pipeline_job(shape, dice);
    const Allocation allocation = placed(dice, shape.ranks(), gpus, shape.tensor);
    StepModel whole =
        make_job_model(job, allocation, {{false, true}, Merging::Computing}, world.machine);
    const double without = in_seconds(isolated_step(whole, world.machine));
    whole.overlap = std::make_shared<DearOverlap>();
    const double expected = in_seconds(isolated_step(whole, world.machine));
    for (const Merging merging : {Merging::Computing, Merging::Serial}) {
      StepModel folded = make_job_model(job, allocation, {{true, true}, merging}, world.machine);
      folded.overlap = whole.overlap;
      EXPECT_NEAR(in_seconds(isolated_step(folded, world.machine)), expected, kSame * expected)
          << "seed " << seed;
    }
    if (expected > without * (1 + kSame)) ++slower;
  }
  EXPECT_GT(slower, 10);  // or nothing overlapped
}

INSTANTIATE_TEST_SUITE_P(Platforms, JobFolding,
                         testing::Values("tiny_2x4.xml", "dgx_h100_x32_rail.xml",
                                         "fat_tree_2to1_x64.xml"),
                         [](const auto& of) {
                           std::string name = of.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace trainyard
