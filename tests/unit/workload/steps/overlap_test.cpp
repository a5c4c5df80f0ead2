// What is hidden behind computing, and what is listed where.
#include "messages_sent.hpp"
#include "workload/steps/make_job_program.hpp"
#include "workload/steps/writers/program_writer.hpp"
#include "workload/steps/writers/side_by_side.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using testing::PeakTimes;
using testing::Rendezvous;

Work milliseconds_of_work(double n) { return {milliseconds(n), 0, 0}; }

const Message kAll{0, CollectiveKind::AllReduce, mebibytes(1)};

TEST(ProgramWriter, JoinsComputationsThatNothingCanTellApart) {
  ProgramWriter writer({true});
  writer.label("a ");
  writer.compute("x", milliseconds_of_work(1));
  writer.compute("y", milliseconds_of_work(2));
  const int sum = writer.start("sum", kAll);
  writer.label("b ");
  writer.compute("x", milliseconds_of_work(3));
  writer.wait(sum);
  writer.compute("y", milliseconds_of_work(4));
  const Program program = writer.finish();
  ASSERT_EQ(program.operations.size(), 4U);
  EXPECT_EQ(program.operations[0].name, "a x..a y");
  EXPECT_EQ(program.operations[0].duration, milliseconds(3));
  EXPECT_EQ(program.operations[1].after, std::vector<int>{0});
  EXPECT_EQ(program.operations[2].name, "b x");
  EXPECT_TRUE(program.operations[2].after.empty());  // beside the collective
  EXPECT_EQ(program.operations[3].after, std::vector<int>{1});
}

TEST(ProgramWriter, LeavesOutWhatARankAloneWouldCommunicate) {
  ProgramWriter writer({false});
  writer.compute("x", milliseconds_of_work(1));
  writer.communicate("sum", kAll);
  writer.compute("y", milliseconds_of_work(1));
  EXPECT_EQ(writer.finish().operations.size(), 1U);
}

TEST(SideBySide, TakesAComputationOfEachInTurnAndKeepsDependencies) {
  ProgramWriter writer({true, true});
  for (const char* pass : {"f ", "b "}) {
    writer.close();
    writer.label(pass);
    for (int i = 0; i < 2; ++i) {
      writer.compute("x", milliseconds_of_work(1));
      writer.communicate("all", kAll);
    }
    writer.compute("end", milliseconds_of_work(1));
  }
  const Program program = side_by_side(writer.finish(), {{0, 5, 10}});
  std::string order;
  for (const Operation& operation : program.operations) order += operation.name + "; ";
  EXPECT_EQ(order, "b x; b all; f x; f all; b x; b all; f x; f all; b end; f end; ");
  EXPECT_EQ(program.operations[4].after, std::vector<int>{1});
  EXPECT_EQ(program.operations[9].after, std::vector<int>{7});
}

// How much longer the step is for its all-to-alls, each shorter than what is between them.
double exposed(const Layout& layout) {
  ModelSpec model = testing::small_moe();
  model.vocabulary = 1024;  // so that stages are as good as balanced
  const JobProgram job = make_job_program(model, layout, 32, PeakTimes());
  const auto all_to_all = [](const Operation& operation) {
    return operation.collective == CollectiveKind::AllToAll ? 3e-6 : 0.0;
  };
  return Rendezvous(job, all_to_all).play().end - Rendezvous(job).play().end;
}

TEST(DualPipe, HidesTheAllToAllsOfAllButTheFirstAndLastMicroBatches) {
  Layout layout;
  layout.pipeline = 4;
  layout.expert = 8;
  layout.global_batch = 8 * 32;
  const double one_way = exposed(layout);
  layout.schedule = PipelineSchedule::DualPipe;
  layout.chunks = 2;
  const double both_ways = exposed(layout);
  EXPECT_LT(both_ways, one_way / 5);
  layout.global_batch = 8 * 64;
  EXPECT_NEAR(exposed(layout), both_ways, 1e-9);
}

// Ten units, ten reductions: those of the embedding and of the layer before it find nothing, or
// next to nothing, left to hide behind.
TEST(DataRanks, ReduceGradientsBesideTheBackwardPass) {
  Layout layout;
  layout.global_batch = 4;
  layout.bucket_parameters = 1;
  const JobProgram job = make_job_program(testing::small_gpt(), layout, 4, PeakTimes());
  EXPECT_EQ(testing::messages(job, 0, "dp", CollectiveKind::AllReduce).count, 10);
  const double each = 20e-6;  // shorter than a layer's backward pass
  const double with = Rendezvous(job, [&](const Operation&) { return each; }).play().end;
  const double without = Rendezvous(job).play().end;
  EXPECT_GE(with - without, each);
  EXPECT_LE(with - without, 2 * each);
}

TEST(FullyShardedRanks, GatherAUnitAheadAndReduceBehind) {
  Layout layout;
  layout.global_batch = 4;
  layout.zero = 3;
  layout.reduce_every_micro_batch = true;
  const JobProgram job = make_job_program(testing::small_gpt(), layout, 4, PeakTimes());
  const double each = 20e-6;  // shorter than a layer's forward pass
  const double with = Rendezvous(job, [&](const Operation&) { return each; }).play().end;
  const double without = Rendezvous(job).play().end;
  // Seen: the first gather, the next behind an embedding that takes no time, and the last two
  // reductions; 28 messages in all.
  EXPECT_GE(with - without, 2 * each);
  EXPECT_LE(with - without, 4 * each);
}

}  // namespace
}  // namespace trainyard
