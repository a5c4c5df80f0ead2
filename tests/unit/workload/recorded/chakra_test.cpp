// Chakra execution traces, written byte by byte here, and those that ASTRA-sim and Chakra ship.
#include "base/error.hpp"
#include "et_writer.hpp"
#include "unit/workload/files.hpp"
#include "workload/importers/chakra/read.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/recorded/summary.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace trainyard {
namespace {

using namespace testing;

RecordedStep read_bytes(const std::string& bytes, int ranks = 2) {
  const TemporaryFile file("chakra.0.et", bytes);
  RecordedOptions options;
  options.files = {file.path()};
  options.ranks = ranks;
  return read_chakra(options);
}

std::string refusal_of(const std::string& bytes) {
  const TemporaryFile file("chakra.0.et", bytes);
  RecordedOptions options;
  options.files = {file.path()};
  options.ranks = 2;
  try {
    read_chakra(options);
  } catch (const InputError& error) {
    return std::string(error.what()).substr(file.path().size() + 2);
  }
  return "accepted";
}

const Operation& operation(const RecordedStep& step, std::size_t i) {
  return step.ranks[0].operations[i].operation;
}

struct IntegerType {
  const char* name;
  std::string field;  // holding 4096
};

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
std::uint64_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(Chakra, EveryTypeOfAttributeThatHoldsAnIntegerIsRead) {
  constexpr std::uint64_t kSize = 4096;
  const IntegerType types[] = {
      {"double", fixed_field(3, bits_of(4096.0), 8)},
      {"float", fixed_field(5, bits_of(4096.0F), 4)},
      {"int32", number_field(7, kSize)},
      {"int64", number_field(9, kSize)},
      {"uint32", number_field(11, kSize)},
      {"uint64", number_field(13, kSize)},
      {"sint32", number_field(15, 2 * kSize)},
      {"sint64", number_field(17, 2 * kSize)},
      {"fixed32", fixed_field(19, kSize, 4)},
      {"fixed64", fixed_field(21, kSize, 8)},
      {"sfixed32", fixed_field(23, kSize, 4)},
      {"sfixed64", fixed_field(25, kSize, 8)},
      {"string", held_field(29, "4096")},
  };
  for (const IntegerType& type : types) {
    const RecordedStep step =
        read_bytes(metadata() + node(1, "ar", kCollective,
                                     flag("is_cpu_op", false) + int64("comm_type", 0) +
                                         attribute("comm_size", type.field)));
    EXPECT_EQ(operation(step, 0).size, bytes(4096)) << type.name;
  }
}

TEST(Chakra, AnAllGatherStatesTheBufferOfOneRank) {
  const auto of_type = [](std::int64_t type) {
    return read_bytes(metadata() + node(1, "c", kCollective,
                                        int64("comm_type", type) + int64("comm_size", 1000)));
  };
  EXPECT_EQ(operation(of_type(2), 0).size, bytes(2 * 1000));  // all-gather of two ranks
  EXPECT_EQ(operation(of_type(7), 0).size, bytes(1000));      // reduce-scatter
  EXPECT_EQ(operation(of_type(7), 0).collective, CollectiveKind::ReduceScatter);
}

TEST(Chakra, ATraceWithoutItsMetadataIsReadFromItsFirstNode) {
  const RecordedStep step = read_bytes(node(3, "x", kCompute, number_field(7, 25)));
  EXPECT_EQ(operation(step, 0).duration, microseconds(25));
  EXPECT_TRUE(step.notes.empty());
}

TEST(Chakra, GzipIsReadAsItStands) {
  const std::string trace = metadata() + node(1, "x", kCompute, number_field(7, 25));
  EXPECT_EQ(read_bytes(gzipped(trace)).ranks[0].operations.size(), 1U);
}

TEST(Chakra, OperationsComeAfterWhatTheyWaitForWhateverTheOrderOfTheFile) {
  const RecordedStep step =
      read_bytes(metadata() + node(7, "last", kCompute, waits_for(9) + number_field(7, 1)) +
                 node(9, "first", kCompute, number_field(7, 1)));
  EXPECT_EQ(operation(step, 0).name, "first");
  EXPECT_EQ(operation(step, 1).name, "last");
  EXPECT_EQ(operation(step, 1).after, std::vector<int>{0});
  EXPECT_EQ(step.place_of(step.ranks[0], 1), step.ranks[0].file + ": node 7");
}

TEST(Chakra, AControlDependencyThatClosesACircleIsLeftOutAndSaid) {
  const RecordedStep step = read_bytes(
      metadata() + node(1, "a", kCompute, held_field(4, varint(1)) + number_field(7, 1)) +
      node(2, "b", kCompute, held_field(4, varint(77)) + number_field(7, 1)));
  ASSERT_EQ(step.findings.size(), 2U);
  EXPECT_EQ(step.findings[0].rule, "dangling dependency");
  EXPECT_EQ(step.findings[1].rule, "circular control dependency");
  EXPECT_TRUE(operation(step, 0).after.empty());
}

TEST(Chakra, ACircleOfDataDependenciesIsFoundByTheLinter) {
  const RecordedStep step =
      read_bytes(metadata() + node(1, "a", kCompute, waits_for(2) + number_field(7, 1)) +
                     node(2, "b", kCompute, waits_for(1) + number_field(7, 1)),
                 1);
  const std::vector<LintFinding> findings = lint_recorded(step, assemble(step));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "cycle");
  EXPECT_EQ(findings[0].problem, "operations wait in a circle: a -> b -> a");
}

TEST(Chakra, WorkWithoutATimeIsTimedByTheGpu) {
  struct TenFlopsASecond final : KernelTimes {
    Seconds of(const Kernel& kernel) const override { return seconds(kernel.flops / 10); }
  } gpu;
  const TemporaryFile file("chakra.0.et",
                           metadata() + node(1, "x", kCompute, int64("num_ops", 50)));
  RecordedOptions options;
  options.files = {file.path()};
  EXPECT_EQ(read_chakra(options).ranks[0].operations[0].operation.duration, seconds(0));
  options.kernels = &gpu;
  EXPECT_EQ(read_chakra(options).ranks[0].operations[0].operation.duration, seconds(5));
}

TEST(Chakra, MistakesAreNamedByNodeOrByte) {
  const std::string collective = int64("comm_size", 8);
  EXPECT_EQ(refusal_of(""), "is empty");
  EXPECT_EQ(refusal_of(metadata() + node(5, "c", kCollective, collective)),
            "node 5: c: a collective without comm_type");
  EXPECT_EQ(refusal_of(metadata() + node(5, "c", kCollective, int64("comm_type", 12))),
            "node 5: c: comm_type 12, known are 0 to 9");
  EXPECT_EQ(refusal_of(metadata() +
                       node(5, "c", kCollective, int64("comm_type", 0) + int64("comm_size", -1))),
            "node 5: c: comm_size -1 is no number of bytes");
  EXPECT_EQ(refusal_of(metadata() + node(5, "s", kSend, int64("comm_dst", 9))),
            "node 5: s: its comm_dst is not a rank of the trace");
  EXPECT_EQ(refusal_of(metadata() + node(5, "a", kCompute, "") + node(5, "b", kCompute, "")),
            "node 5: b: a second node with this id");
  const std::string whole = metadata() + node(1, "x", kCompute, number_field(7, 25));
  EXPECT_EQ(refusal_of(whole.substr(0, whole.size() - 1)),
            "byte 9: 9 bytes are announced, 8 are left: the file is truncated or damaged");
  EXPECT_EQ(refusal_of(metadata() + std::string(11, '\xff')),
            "byte 18: a number of more than ten bytes: not a Chakra trace, or damaged");
}

TEST(Chakra, AGroupIsWhoItsFileSays) {
  const TemporaryFile groups("groups.json", R"({"dp": [1, 0], "tp": [0]})");
  const auto read_with = [&](const std::string& name) {
    const TemporaryFile file("chakra.0.et",
                             metadata() + node(1, "c", kCollective,
                                               int64("comm_type", 0) + int64("comm_size", 8) +
                                                   attribute("pg_name", held_field(29, name))));
    RecordedOptions options;
    options.files = {file.path()};
    options.groups = groups.path();
    return read_chakra(options);
  };
  const RecordedStep step = read_with("dp");
  EXPECT_EQ(step.ranks.size(), 2U);
  EXPECT_EQ(step.groups[0].ranks, (std::vector<int>{1, 0}));
  EXPECT_EQ(assemble(step).slots[0].dimension, Dimension::Data);
  EXPECT_THROW(read_with("pp"), InputError);
}

// ---- Files that others wrote ----

RecordedStep read_reference(const std::string& name) {
  RecordedOptions options;
  options.files = {reference_path("training/" + name)};
  return read_chakra(options);
}

TEST(ChakraOfAstraSim, TheMicrobenchmarksAreOneCollectiveOfAMebibyteOverEightRanks) {
  TRAINYARD_NEEDS(reference_path("training/astrasim-et"));
  const std::pair<const char*, CollectiveKind> files[] = {
      {"astrasim-et/all_reduce-8npus_1MB-all_reduce", CollectiveKind::AllReduce},
      {"astrasim-et/reduce_scatter-8npus_1MB-reduce_scatter", CollectiveKind::ReduceScatter}};
  for (const auto& [name, kind] : files) {
    const RecordedStep step = read_reference(name);
    const JobProgram job = sound_job(step);
    EXPECT_EQ(job.ranks.size(), 8U);
    EXPECT_EQ(job.programs.size(), 1U);  // all ranks do the same
    const std::vector<Traffic> traffic = traffic_of(job);
    ASSERT_EQ(traffic.size(), 1U);
    EXPECT_EQ(traffic[0].kind, kind);
    EXPECT_EQ(traffic[0].count, 1);
    EXPECT_EQ(traffic[0].bytes, mebibytes(1));
  }
}

// The file beside it (MSCCL) says the same ring: 2(n-1) sends of an eighth by each of n = 8 ranks.
TEST(ChakraOfAstraSim, TheCustomRingIsTwiceSevenSendsOfAnEighthByEachRank) {
  TRAINYARD_NEEDS(reference_path("training/astrasim-et"));
  const RecordedStep step = read_reference("astrasim-et/custom-custom_allreduce");
  const JobProgram job = sound_job(step);
  EXPECT_EQ(job.groups.size(), 8U);  // a directed pair a rank, its tags in one order
  const std::vector<Traffic> traffic = traffic_of(job);
  ASSERT_EQ(traffic.size(), 1U);
  EXPECT_EQ(traffic[0].kind, CollectiveKind::SendRecv);
  EXPECT_EQ(traffic[0].count, 8 * 2 * (8 - 1));
  EXPECT_EQ(traffic[0].bytes, 8 * 2 * (8 - 1) * (mebibytes(1) / 8));
}

TEST(ChakraOfAstraSim, AFolderOfSeveralTracesIsRefused) {
  TRAINYARD_NEEDS(reference_path("training/astrasim-et"));
  EXPECT_THROW(read_reference("astrasim-et"), InputError);
}

}  // namespace
}  // namespace trainyard
