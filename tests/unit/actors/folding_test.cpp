// Folding against no folding: random programs on random placements of random machines with slow
// parts. Step times and link bytes are the same to 1e-9, the rounding of sums in another order.
#include "actors/isolated_step.hpp"
#include "actors/program_player.hpp"
#include "actors/step_model.hpp"
#include "network/flow_network.hpp"
#include "unit/actors/random_worlds.hpp"
#include "workload/training_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

constexpr double kSame = 1e-9;

TrainingPlan random_plan(Dice& dice) {
  TrainingPlan plan;
  plan.layers = dice.from(1, 5);
  plan.forward = milliseconds(dice.between(0.1, 5));
  plan.backward = milliseconds(dice.between(0.1, 10));
  if (dice.chance(0.5)) plan.optimizer = milliseconds(dice.between(0.1, 5));
  plan.tensor = dice.one_of<int>({1, 2, 4, 8});
  plan.tensor_all_reduces = dice.from(1, 3);
  if (plan.tensor > 1) plan.tensor_message = mebibytes(dice.from(1, 400));
  plan.gradient_per_layer = mebibytes(dice.from(1, 600));
  plan.layers_per_bucket = dice.from(1, 3);
  plan.all_reduce = dice.one_of<std::string>({"", "ring", "two_level"});
  return plan;
}

// A user's own program: two streams of data or world collectives and tensor ones between them.
TrainingPlan random_custom_plan(Dice& dice) {
  TrainingPlan plan;
  plan.tensor = dice.one_of<int>({1, 2, 4});
  const int operations = dice.from(3, 9);
  for (int i = 0; i < operations; ++i) {
    Operation operation;
    operation.name = "o" + std::to_string(i);
    operation.stream = dice.from(0, 2);
    if (dice.chance(0.5)) {
      operation.duration = milliseconds(dice.between(0.1, 10));
    } else {
      operation.kind = Operation::Kind::Communicate;
      operation.collective =
          dice.one_of<CollectiveKind>({CollectiveKind::AllReduce, CollectiveKind::AllGather,
                                       CollectiveKind::ReduceScatter, CollectiveKind::AllToAll});
      operation.group = dice.one_of<Group>({Group::Tensor, Group::Data, Group::World});
      operation.size = mebibytes(dice.from(1, 300));
    }
    if (i > 0 && dice.chance(0.6)) operation.after.push_back(dice.from(0, i - 1));
    plan.custom.push_back(operation);
  }
  return plan;
}

// Tensor groups on one node each, in any order, as every placement gives them.
Allocation random_allocation(Dice& dice, const Platform& platform, std::vector<char>& taken,
                             int gpus, int width) {
  std::vector<std::vector<GpuId>> blocks;
  for (const Node& node : platform.nodes) {
    std::vector<GpuId> here;
    for (int i = 0; i < node.gpus; ++i) {
      const GpuId gpu(node.first_gpu.value() + i);
      if (taken[gpu.index()] == 0) here.push_back(gpu);
    }
    if (dice.chance(0.5)) dice.shuffle(here);
    for (std::size_t first = 0; first + static_cast<std::size_t>(width) <= here.size();
         first += static_cast<std::size_t>(width))
      blocks.emplace_back(here.begin() + static_cast<std::ptrdiff_t>(first),
                          here.begin() + static_cast<std::ptrdiff_t>(first) + width);
  }
  if (dice.chance(0.7)) dice.shuffle(blocks);
  Allocation allocation;
  for (std::size_t b = 0; static_cast<int>(allocation.gpus.size()) < gpus && b < blocks.size(); ++b)
    allocation.gpus.insert(allocation.gpus.end(), blocks[b].begin(), blocks[b].end());
  for (const GpuId gpu : allocation.gpus) taken[gpu.index()] = 1;
  return allocation;
}

struct JobHere {
  Program program;
  Allocation allocation;
  int width = 1;
};

// On at most half of the machine, so that two jobs have room.
JobHere random_job(Dice& dice, const Platform& platform, std::vector<char>& taken) {
  const TrainingPlan plan = dice.chance(0.6) ? random_plan(dice) : random_custom_plan(dice);
  const int per_node = platform.nodes.front().gpus, most = platform.gpu_count() / 2;
  const int gpus = std::min(most, dice.one_of<int>({2, 4, 6, 8, 12, 16, 24, 32}));
  JobHere job;
  job.width = plan.tensor_width(gpus, per_node);
  job.allocation = random_allocation(dice, platform, taken, gpus, job.width);
  const int got = static_cast<int>(job.allocation.gpus.size());
  if (got < gpus) return JobHere{};  // the other job left no whole blocks
  job.program = make_program(plan, gpus, per_node);
  return job;
}

StepModel model_of(const JobHere& job, const World& world, bool fold) {
  return make_step_model(job.program, job.allocation, {job.width, fold}, world.machine);
}

double bytes_of_all(const StepModel& model) {
  double bytes = 0;
  for (const auto* channels : {&model.channels, &model.folded})
    for (const Channel& channel : *channels)
      for (const auto& group : channel.groups)
        for (const Demand& demand : group->demands) bytes += demand.load * group->length;
  return bytes;
}

// Several jobs side by side on one private network, each going on to its next step at once.
class SideBySide {
public:
  SideBySide(const std::vector<StepModel>& models, const World& world, int steps)
      : fluid_(world.machine.capacities, world.platform), network_(fluid_), models_(models) {
    for (std::size_t j = 0; j < models.size(); ++j)
      jobs_.push_back(std::make_unique<Job>(*this, static_cast<Domain>(j), steps));
  }

  // The times at which each job ended each of its steps.
  std::vector<std::vector<double>> play() {
    for (auto& job : jobs_) job->start();
    for (Seconds next; (next = fluid_.until_next()) < forever();) fluid_.advance(next);
    std::vector<std::vector<double>> ends;
    for (const auto& job : jobs_) ends.push_back(job->ends);
    return ends;
  }
  std::vector<double> link_bytes() const { return network_.link_bytes(); }

private:
  struct Job final : StepListener {
    Job(SideBySide& all, Domain domain, int steps)
        : all_(all),
          model_(all.models_[static_cast<std::size_t>(domain)]),
          steps_(steps),
          done_(model_.classes.size()),
          player_(model_, all.fluid_, all.network_, domain, *this) {}

    void start() {
      for (std::size_t c = 0; c < done_.size(); ++c) player_.start_step(static_cast<int>(c));
    }
    void class_ended_step(int rank_class) override {
      const int before = *std::min_element(done_.begin(), done_.end());
      int& done = done_[static_cast<std::size_t>(rank_class)];
      ++done;
      if (*std::min_element(done_.begin(), done_.end()) > before)
        ends.push_back(in_seconds(all_.fluid_.now() - Fluid::Instant{}));
      if (done < steps_) player_.start_step(rank_class);
    }
    std::vector<double> ends;

  private:
    SideBySide& all_;
    const StepModel& model_;
    int steps_;
    std::vector<int> done_;
    ProgramPlayer player_;
  };

  Fluid fluid_;
  FlowNetwork network_;
  const std::vector<StepModel>& models_;
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace

class Folding : public testing::TestWithParam<const char*> {};

TEST_P(Folding, KeepsTheIsolatedStepAndTheBytesOfRandomJobs) {
  int folded_cases = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Dice dice(seed);
    World world(GetParam());
    world.slow_down(dice);
    std::vector<char> taken(world.platform.gpus.size());
    const JobHere job = random_job(dice, world.platform, taken);
    const StepModel whole = model_of(job, world, false), folded = model_of(job, world, true);
    const double expected = in_seconds(isolated_step(whole, world.machine));
    EXPECT_NEAR(in_seconds(isolated_step(folded, world.machine)), expected, kSame * expected)
        << "seed " << seed;
    const double bytes = bytes_of_all(whole);
    EXPECT_NEAR(bytes_of_all(folded), bytes, kSame * bytes) << "seed " << seed;
    EXPECT_EQ(folded.links.size(), whole.links.size()) << "seed " << seed;
    if (folded.classes.size() < whole.classes.size()) ++folded_cases;
  }
  EXPECT_GT(folded_cases, 150);  // or there was little to compare
}

TEST_P(Folding, KeepsEveryStepOfTwoJobsThatShareLinks) {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    Dice dice(seed);
    World world(GetParam());
    world.slow_down(dice);
    std::vector<char> taken(world.platform.gpus.size());
    const JobHere a = random_job(dice, world.platform, taken),
                  b = random_job(dice, world.platform, taken);
    if (b.allocation.gpus.empty()) continue;
    std::vector<std::vector<double>> ends[2];
    std::vector<double> bytes[2];
    for (const bool fold : {false, true}) {
      const std::vector<StepModel> models = {model_of(a, world, fold), model_of(b, world, fold)};
      SideBySide run(models, world, 6);
      ends[fold ? 1 : 0] = run.play();
      bytes[fold ? 1 : 0] = run.link_bytes();
    }
    for (int job = 0; job < 2; ++job) {
      const auto j = static_cast<std::size_t>(job);
      ASSERT_EQ(ends[0][j].size(), ends[1][j].size()) << "seed " << seed;
      for (std::size_t step = 0; step < ends[0][j].size(); ++step)
        EXPECT_NEAR(ends[1][j][step], ends[0][j][step], kSame * ends[0][j][step])
            << "seed " << seed << " job " << job << " step " << step;
    }
    for (std::size_t link = 0; link < bytes[0].size(); ++link)
      EXPECT_NEAR(bytes[1][link], bytes[0][link], kSame * bytes[0][link] + 1e-3)
          << "seed " << seed << " " << world.platform.links[link].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Platforms, Folding,
                         testing::Values("tiny_2x4.xml", "dgx_h100_x32_rail.xml"),
                         [](const auto& of) {
                           std::string name = of.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace trainyard
