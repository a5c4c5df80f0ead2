// Why a step takes as long as it does, on jobs small enough to be worked out by hand.
#include "actors/explain/waterfall.hpp"
#include "actors/isolated_step.hpp"
#include "actors/job_model/job_model.hpp"
#include "base/error.hpp"
#include "unit/actors/random_worlds.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using testing::HasSubstr;

// A job whose ranks each have a program and are all in every group.
class SmallJob {
public:
  explicit SmallJob(int ranks) {
    job_.programs.resize(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) job_.ranks.push_back({rank, {}});
  }
  int add_group(const std::string& slot, Dimension dimension) {
    job_.slots.push_back({slot, dimension});
    const int number = static_cast<int>(job_.groups.size());
    ProcessGroup group{number, {}};
    for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
      group.ranks.push_back(static_cast<int>(rank));
      job_.ranks[rank].groups.push_back(number);
    }
    job_.groups.push_back(group);
    return number;
  }
  SmallJob& compute(int rank, const std::string& name, Seconds duration) {
    Operation operation;
    operation.name = name;
    operation.duration = duration;
    return add(rank, operation);
  }
  SmallJob& reduce(int rank, const std::string& name, int group) {
    Operation operation;
    operation.name = name;
    operation.kind = Operation::Kind::Communicate;
    operation.group = Group{group};
    operation.size = kSize;
    return add(rank, operation);
  }
  StepModel model(const World& world) const {
    Allocation allocation;
    for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank)
      allocation.gpus.emplace_back(static_cast<std::int64_t>(rank));
    return make_job_model(job_, allocation, {{true, true}}, world.machine);
  }

  static constexpr Bytes kSize = mebibytes(64);

private:
  SmallJob& add(int rank, const Operation& operation) {
    job_.programs[static_cast<std::size_t>(rank)].operations.push_back(operation);
    return *this;
  }
  JobProgram job_;
};

std::string error_of(const StepModel& model, const World& world) {
  try {
    isolated_step(model, world.machine);
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "";
}

double spent(const Waterfall& waterfall, Spent what) {
  return waterfall.spent[static_cast<std::size_t>(what)];
}

}  // namespace

TEST(Standstill, NamesTheCircleOfRanksThatWaitForEachOther) {
  const World world("tiny_2x4.xml");
  SmallJob job(2);
  const int a = job.add_group("a", Dimension::Other), b = job.add_group("b", Dimension::Other);
  job.reduce(0, "first", a).reduce(0, "second", b);
  job.reduce(1, "second", b).reduce(1, "first", a);
  EXPECT_THAT(error_of(job.model(world), world),
              HasSubstr("rank 0 waits in 'first' on a[0] for rank 1;\n"
                        "  rank 1 waits in 'second' on b[0] for rank 0"));
}

TEST(Standstill, NamesTheRankThatNeverComes) {
  const World world("tiny_2x4.xml");
  SmallJob job(2);
  const int a = job.add_group("a", Dimension::Other);
  job.reduce(0, "first", a).reduce(0, "second", a).reduce(1, "first", a);
  EXPECT_THAT(error_of(job.model(world), world), HasSubstr("rank 0 waits in 'second' on a[0]"));
}

TEST(JobModel, RefusesMembersThatDisagreeOnACollective) {
  const World world("tiny_2x4.xml");
  JobProgram job;
  job.slots = {{"world", Dimension::Other}};
  job.groups = {{0, {0, 1}}};
  Operation reduce;
  reduce.name = "sum";
  reduce.kind = Operation::Kind::Communicate;
  reduce.group = Group{0};
  reduce.size = mebibytes(1);
  Operation gather = reduce;
  gather.name = "gather";
  gather.collective = CollectiveKind::AllGather;
  job.programs = {{{reduce}}, {{gather}}};
  job.ranks = {{0, {0}}, {1, {0}}};
  const Allocation allocation{{GpuId(0), GpuId(1)}};
  try {
    make_job_model(job, allocation, {}, world.machine);
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("collective 1 of world[0] does not match: rank 0 has 'sum' "
                                        "(all_reduce of 1048576 B), rank 1 has 'gather'"));
  }
}

// Rank 1 computes 5 ms, rank 0 only 2: it waits 3, then both reduce.
TEST(Waterfall, OfTwoUnequalRanksIsWhatTheyDo) {
  const World world("tiny_2x4.xml");
  SmallJob job(2);
  const int tensor = job.add_group("tp", Dimension::Tensor);
  job.compute(0, "short", milliseconds(2)).reduce(0, "sum", tensor);
  job.compute(1, "long", milliseconds(5)).reduce(1, "sum", tensor);
  const StepModel model = job.model(world);
  const StepTimeline timeline = isolated_timeline(model, world.machine);
  const double transfer =
      in_seconds(alone_duration(model.channels.front().groups, world.machine.capacities));
  EXPECT_NEAR(timeline.step, 5e-3 + transfer, 1e-12);
  const Waterfall mean = waterfall(model, timeline);
  EXPECT_NEAR(spent(mean, Spent::Compute), (2e-3 + 5e-3) / 2, 1e-12);
  EXPECT_NEAR(spent(mean, Spent::Wait), 3e-3 / 2, 1e-12);
  EXPECT_NEAR(spent(mean, Spent::Tensor), transfer, 1e-12);
  EXPECT_NEAR(mean.step(), timeline.step, 1e-12);

  const std::vector<WaitedFor> blamed = waited_for(model, timeline);
  EXPECT_EQ(model.classes[static_cast<std::size_t>(blamed.front().rank_class)].ranks.front(), 1);
  EXPECT_NEAR(blamed.front().seconds, 3e-3, 1e-12);
}

TEST(CriticalPath, GoesThroughTheSlowRankAndCoversTheStep) {
  const World world("tiny_2x4.xml");
  SmallJob job(2);
  const int tensor = job.add_group("tp", Dimension::Tensor);
  job.compute(0, "short", milliseconds(2)).reduce(0, "sum", tensor);
  job.compute(0, "rest", milliseconds(4));
  job.compute(1, "long", milliseconds(5)).reduce(1, "sum", tensor);
  job.compute(1, "rest", milliseconds(4));
  const StepModel model = job.model(world);
  const StepTimeline timeline = isolated_timeline(model, world.machine);
  const std::vector<PathPart> path = critical_path(model, timeline);
  ASSERT_EQ(path.size(), 3u);
  EXPECT_EQ(model.classes[static_cast<std::size_t>(path[0].rank_class)].ranks.front(), 1);
  double covered = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    covered += path[i].to - path[i].from;
    if (i > 0) {
      EXPECT_NEAR(path[i].from, path[i - 1].to, 1e-12);
    }
  }
  EXPECT_NEAR(covered, timeline.step, 1e-12);
}

// Overlap: what communicates while the rank computes costs nothing.
TEST(Waterfall, CountsOnlyExposedCommunication) {
  const World world("tiny_2x4.xml");
  JobProgram job;
  job.slots = {{"dp", Dimension::Data}};
  job.groups = {{0, {0, 4}}};  // on two nodes
  Operation compute, reduce, rest;
  compute.name = "backward";
  compute.duration = milliseconds(1);
  reduce.name = "gradients";
  reduce.kind = Operation::Kind::Communicate;
  reduce.group = Group{0};
  reduce.stream = 1;
  reduce.size = mebibytes(64);
  reduce.after = {0};
  rest = compute;
  rest.name = "rest";
  job.programs = {{{compute, reduce, rest}}};
  job.ranks.assign(5, {0, {-1}});
  job.ranks[0].groups[0] = job.ranks[4].groups[0] = 0;
  // Ranks 1 to 3 are in no group: they play a program of their own.
  job.programs.push_back({{compute}});
  for (const std::size_t rank : {1u, 2u, 3u}) job.ranks[rank].program = 1;
  Allocation allocation;
  for (int gpu = 0; gpu < 5; ++gpu) allocation.gpus.emplace_back(gpu);
  const StepModel model = make_job_model(job, allocation, {{false, true}}, world.machine);
  const StepTimeline timeline = isolated_timeline(model, world.machine);
  const double transfer =
      in_seconds(alone_duration(model.channels.front().groups, world.machine.capacities));
  ASSERT_GT(transfer, 1e-3);  // or nothing would be exposed
  const Waterfall first = waterfall_of_class(model, timeline, 0);
  EXPECT_NEAR(spent(first, Spent::Compute), 2e-3, 1e-12);
  EXPECT_NEAR(spent(first, Spent::Data), transfer - 1e-3, 1e-12);
}

}  // namespace trainyard
