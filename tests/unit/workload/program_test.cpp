// Programs: what a user may write, every way to write it wrong, and rewriting without a trace.
#include "workload/program.hpp"

#include "play.hpp"
#include "workload/program_rewrite.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::step_time;

Program read(const std::string& yaml) {
  Document document = Document::parse(yaml, "p.yaml");
  Section root = document.root();
  Program program = read_program(root);
  root.finish();
  return program;
}

std::string error_in(const std::string& yaml) {
  try {
    read(yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

Operation compute(const std::string& name, int stream, Seconds duration, std::vector<int> after) {
  Operation operation;
  operation.name = name;
  operation.stream = stream;
  operation.duration = duration;
  operation.after = std::move(after);
  return operation;
}

TEST(ReadProgram, ReadsComputationsCollectivesStreamsGroupsAndDependencies) {
  const Program program = read(
      "operations:\n"
      "  - {name: forward, compute: 2 ms}\n"
      "  - {name: sum, all_reduce: 64 MiB, group: data, algorithm: ring, stream: 1, after: "
      "forward}\n"
      "  - {name: backward, compute: 4 ms, after: [sum, forward]}\n");
  ASSERT_EQ(program.operations.size(), 3U);
  EXPECT_EQ(program.streams(), 2);
  EXPECT_EQ(program.operations[0].duration, milliseconds(2));
  const Operation& sum = program.operations[1];
  EXPECT_EQ(sum.kind, Operation::Kind::Communicate);
  EXPECT_EQ(sum.collective, CollectiveKind::AllReduce);
  EXPECT_EQ(sum.size, mebibytes(64));
  EXPECT_EQ(sum.group, Group::Data);
  EXPECT_EQ(sum.algorithm, "ring");
  EXPECT_THAT(sum.after, ElementsAre(0));
  EXPECT_THAT(program.operations[2].after, ElementsAre(1, 0));
}

TEST(ReadProgram, AnOperationStartsOnStreamZeroAndInTheWholeJobUnlessItSaysOtherwise) {
  const Operation sum = read("operations: [{name: a, all_gather: 1 MiB}]").operations[0];
  EXPECT_EQ(sum.stream, 0);
  EXPECT_EQ(sum.group, Group::World);
  EXPECT_EQ(sum.algorithm, "");
  EXPECT_EQ(sum.collective, CollectiveKind::AllGather);
}

TEST(ReadProgram, ADependencyMayPointToALaterOperationOnAnotherStream) {
  const Program program =
      read("operations: [{name: a, compute: 1 s, after: b}, {name: b, compute: 1 s, stream: 1}]");
  EXPECT_EQ(step_time(program, {}), seconds(2));
}

TEST(ReadProgramErrors, ACycleIsSpelledOut) {
  EXPECT_EQ(error_in("operations:\n"
                     "  - {name: a, compute: 1 s, after: b}\n"
                     "  - {name: b, compute: 1 s, stream: 1, after: a}\n"),
            "p.yaml:2:3: operations: operations form a cycle: a -> b -> a");
  EXPECT_EQ(error_in("operations: [{name: a, compute: 1 s, after: a}]"),
            "p.yaml:1:13: operations: operations form a cycle: a -> a");
}

TEST(ReadProgramErrors, TheOrderOfAStreamIsPartOfACycle) {
  EXPECT_EQ(error_in("operations:\n"
                     "  - {name: first, compute: 1 s, after: second}\n"
                     "  - {name: second, compute: 1 s}\n"),
            "p.yaml:2:3: operations: operations form a cycle: first -> second -> first");
}

TEST(ReadProgramErrors, AnUnknownNameInAfterHasANearMatch) {
  EXPECT_EQ(
      error_in("operations:\n"
               "  - {name: forward, compute: 1 s}\n"
               "  - {name: b, compute: 1 s, after: [foward]}\n"),
      "p.yaml:3:36: operations[1].after: unknown operation 'foward'; did you mean 'forward'?");
}

TEST(ReadProgramErrors, ATimeOrSizeMustBePositiveAndHaveAUnit) {
  EXPECT_EQ(error_in("operations: [{name: a, compute: 0 s}]"),
            "p.yaml:1:33: operations[0].compute: must be longer than zero");
  for (const char* value : {"compute: -1 s", "all_reduce: 0 B", "all_reduce: -1 MiB", "compute: 5",
                            "all_reduce: 64", "compute: 64 MiB", "all_reduce: 2 ms"})
    EXPECT_THAT(error_in(std::string("operations: [{name: a, ") + value + "}]"),
                ::testing::ContainsRegex("^p.yaml:1:3[36]: operations.0..(compute|all_reduce): "))
        << value;
}

TEST(ReadProgramErrors, AnOperationHasOneKind) {
  EXPECT_EQ(error_in("operations: [{name: a, compute: 1 s, all_reduce: 1 MiB}]"),
            "p.yaml:1:50: operations[0].all_reduce: an operation has one kind, and this one is "
            "'compute' already");
  EXPECT_EQ(error_in("operations: [{name: a, stream: 1}]"),
            "p.yaml:1:14: operations[0]: needs one of: compute, all_reduce, all_gather, "
            "reduce_scatter, all_to_all, broadcast");
}

TEST(ReadProgramErrors, AMisspeltKindOrKeyHasANearMatch) {
  EXPECT_EQ(error_in("operations: [{name: a, all_redcue: 1 MiB}]"),
            "p.yaml:1:36: operations[0].all_redcue: unknown key; did you mean 'all_reduce'?");
  EXPECT_EQ(error_in("operations: [{name: a, compute: 1 s, steam: 1}]"),
            "p.yaml:1:38: operations[0].steam: unknown key; did you mean 'stream'?");
  EXPECT_THAT(error_in("operations: [{name: a, compute: 1 s, group: data}]"),
              ::testing::HasSubstr("operations[0].group: unknown key"));
  EXPECT_THAT(error_in("operations: [{name: a, all_reduce: 1 MiB, algorithm: rnig}]"),
              ::testing::HasSubstr("did you mean 'ring'?"));
}

TEST(ReadProgramErrors, TwoOperationsOfOneName) {
  EXPECT_EQ(error_in("operations:\n"
                     "  - {name: a, compute: 1 s}\n"
                     "  - {name: a, compute: 1 s}\n"),
            "p.yaml:3:12: operations[1].name: duplicate name 'a', first on line 2");
}

TEST(ReadProgramErrors, NoOperationsAndTooManyStreams) {
  EXPECT_EQ(error_in("operations: []"),
            "p.yaml:1:13: operations: must list at least one operation");
  EXPECT_THAT(error_in("operations: [{name: a, compute: 1 s, stream: 64}]"),
              ::testing::EndsWith("operations[0].stream: must be less than 64"));
}

TEST(DependencyCycle, IsEmptyForAProgramThatCanBePlayed) {
  EXPECT_EQ(dependency_cycle({}), "");
  EXPECT_EQ(dependency_cycle({{compute("a", 0, seconds(1), {}), compute("b", 0, seconds(1), {0})}}),
            "");
}

TEST(DependencyCycle, LeavesOutWhatOnlyWaitsForTheCycle) {
  const Program program = {{compute("waits", 0, seconds(1), {2}), compute("x", 1, seconds(1), {3}),
                            compute("y", 2, seconds(1), {1}), compute("z", 3, seconds(1), {2})}};
  EXPECT_EQ(dependency_cycle(program), "x -> z -> y -> x");
}

TEST(Without, WhoWaitedForADroppedOperationWaitsForWhatItWaitedFor) {
  // b and c are dropped; d waited for b explicitly, e for c as the one before it on stream 1.
  const Program program = {{compute("a", 0, seconds(5), {}), compute("b", 1, seconds(0), {0}),
                            compute("c", 1, seconds(0), {}), compute("d", 2, seconds(1), {1}),
                            compute("e", 1, seconds(1), {})}};
  const Program rest = without(program, {false, true, true, false, false});
  ASSERT_EQ(rest.operations.size(), 3U);
  EXPECT_THAT(rest.operations[1].after, ElementsAre(0));
  EXPECT_THAT(rest.operations[2].after, ElementsAre(0));
  EXPECT_EQ(step_time(rest, {}), step_time(program, {}));
}

TEST(MergeComputations, JoinsNeighboursThatNothingTellsApart) {
  const Program merged =
      merge_computations({{compute("a", 0, seconds(1), {}), compute("b", 0, seconds(2), {}),
                           compute("c", 0, seconds(4), {})}});
  ASSERT_EQ(merged.operations.size(), 1U);
  EXPECT_EQ(merged.operations[0].name, "a..c");
  EXPECT_EQ(merged.operations[0].duration, seconds(1 + 2 + 4));
  EXPECT_THAT(merged.operations[0].after, IsEmpty());
}

TEST(MergeComputations, KeepsApartWhatSomethingWaitsForOrWhatWaits) {
  const Program program = {{compute("a", 0, seconds(1), {}), compute("b", 0, seconds(2), {}),
                            compute("other", 1, seconds(9), {0}),
                            compute("c", 0, seconds(4), {2})}};
  const Program merged = merge_computations(program);
  EXPECT_EQ(merged.operations.size(), 4U);
  EXPECT_EQ(step_time(merged, {}), step_time(program, {}));
}

}  // namespace
}  // namespace trainyard
