// GOAL, SimAI and AICB: small files of our own, mistakes with their lines, and files of the
// sources.
#include "base/error.hpp"
#include "unit/workload/files.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/recorded/summary.hpp"
#include "workload/importers/trace_formats.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

RecordedStep read_text(const std::string& text, int ranks = 0) {
  const TemporaryFile file("trace.txt", text);
  RecordedOptions options;
  options.files = {file.path()};
  options.ranks = ranks;
  return read_recorded(options, "");
}

std::string refusal_of(const std::string& text) {
  const TemporaryFile file("trace.txt", text);
  RecordedOptions options;
  options.files = {file.path()};
  try {
    read_recorded(options, "");
  } catch (const InputError& error) {
    return std::string(error.what()).substr(file.path().size() + 1);
  }
  return "accepted";
}

const std::string kGoal =
    "num_ranks 2\n"
    "rank 0 {  // the sender\n"
    "  l1: calc 100 cpu 1\n"
    "  l2: send 1024b to 1 tag 3 cpu 0 nic 0\n"
    "  l2 requires l1\n"
    "}\n"
    "/* the\n receiver */ rank 1 {\n"
    "  r: recv 1024b from 0 tag 3\n"
    "  c: calc 50\n"
    "  d: calc 7 cpu 2\n"
    "  c requires r\n"
    "  d irequires c\n"
    "}\n";

TEST(Goal, ASendAndItsReceiveAreOneTransferOfAPair) {
  const JobProgram job = sound_job(read_text(kGoal));
  ASSERT_EQ(job.groups.size(), 1U);
  EXPECT_EQ(job.groups[0].ranks, (std::vector<int>{0, 1}));
  const std::vector<Operation>& sender = job.programs[0].operations;
  EXPECT_EQ(sender[0].duration, nanoseconds(100));
  EXPECT_EQ(sender[1].collective, CollectiveKind::SendRecv);
  EXPECT_EQ(sender[1].size, bytes(1024));
  EXPECT_EQ(sender[1].after, std::vector<int>{0});
}

TEST(Goal, WhatStartsWithAnotherWaitsForWhatThatWaitsFor) {
  const JobProgram job = sound_job(read_text(kGoal));
  const std::vector<Operation>& receiver = job.programs[1].operations;
  EXPECT_EQ(receiver[1].after, std::vector<int>{0});  // c requires r
  EXPECT_EQ(receiver[2].after, std::vector<int>{0});  // d starts with c
}

// The receiver comes to a short message at once; who waits for it waits for what it waited for.
TEST(Goal, AShortMessageDoesNotWaitForItsReceiverAndALongOneDoes) {
  const auto receiver = [](const std::string& size) {
    return sound_job(read_text("num_ranks 2\nrank 0 {\nsend " + size +
                               " to 1\n}\nrank 1 {\na: calc 9\nr: recv " + size +
                               " from 0\nb: calc 5 cpu 1\nr requires a\nb requires r\n}\n"))
        .programs[1]
        .operations;
  };
  EXPECT_EQ(receiver("65535b")[1].after, std::vector<int>{});
  EXPECT_EQ(receiver("65535b")[2].after, (std::vector<int>{0, 1}));
  EXPECT_EQ(receiver("65536b")[1].after, std::vector<int>{0});
  EXPECT_EQ(receiver("65536b")[2].after, std::vector<int>{1});
}

TEST(Goal, MistakesAreNamedByLine) {
  const auto in_a_rank = [](const std::string& line) {
    return refusal_of("num_ranks 2\nrank 0 {\n" + line + "\n}\n");
  };
  EXPECT_EQ(in_a_rank("calc 5"), "accepted");
  EXPECT_EQ(in_a_rank("calk 5"),
            "3: expected send, recv or calc, got 'calk'; did you mean 'calc'?");
  EXPECT_EQ(in_a_rank("send 5 to 1"), "3: expected a size, as in 1024b, got '5'");
  EXPECT_EQ(in_a_rank("send 5b to 2"), "3: expected a rank below num_ranks, got '2'");
  EXPECT_EQ(in_a_rank("recv 5b from -1"), "3: a wildcard source is not understood");
  EXPECT_EQ(in_a_rank("recv 5b from 1 tag -1"), "3: a wildcard tag is not understood");
  EXPECT_EQ(in_a_rank("send 5b to 0"), "3: a transfer of rank 0 to itself");
  EXPECT_EQ(in_a_rank("a requires b"), "3: no label 'a' in rank 0 so far");
  EXPECT_EQ(in_a_rank("a: calc 1 cpu 1 nic 2"), "3: 'nic' is too much");
  EXPECT_EQ(refusal_of("num_ranks 1\nrank 0 {\n"), " ends inside rank 0");
}

TEST(Goal, ASendThatNobodyReceivesIsFoundWithItsLine) {
  const RecordedStep step = read_text(
      "num_ranks 2\nrank 0 {\nsend 8b to 1\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
  const std::vector<LintFinding> findings = lint_recorded(step, assemble(step));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "unmatched transfer");
  EXPECT_EQ(findings[0].place, step.ranks[0].file + ":4");
}

// ---- SimAI ----

const std::string kHeader =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0\n";

TEST(Simai, AStepIsForwardThroughTheRowsAndBackwardThroughThem) {
  const JobProgram job = sound_job(
      read_text(kHeader +
                "2\n"
                "a\t-1\t10\tALLREDUCE\t100\t20\tNONE\t0\t30\tREDUCESCATTER\t400\t5\n"
                "b\t-1\t11\tALLTOALL_EP\t200\t21\tALLGATHER\t300\t31\tALLREDUCE_DP_EP\t500\t0\n"));
  std::vector<std::string> names;
  for (const Operation& o : job.programs[0].operations) names.push_back(o.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "a.forward", "a.forward", "b.forward", "b.forward", "b.weight_gradient",
                       "b.weight_gradient", "b.input_gradient", "b.input_gradient",
                       "a.weight_gradient", "a.weight_gradient", "a.input_gradient", "a.update"}));
  const std::vector<Operation>& o = job.programs[0].operations;
  const auto slot = [&](std::size_t i) {
    return job.slots[static_cast<std::size_t>(o[i].group)].name;
  };
  EXPECT_EQ(slot(1), "tp");                     // no suffix, forward
  EXPECT_EQ(slot(3), "ep");                     // _EP
  EXPECT_EQ(slot(5), "dp_ep");                  // _DP_EP
  EXPECT_EQ(slot(9), "dp");                     // no suffix, weight gradient
  EXPECT_EQ(o[2].after, std::vector<int>{1});   // b's forward waits for a's collective
  EXPECT_EQ(o[11].after, std::vector<int>{9});  // the update for the gradients'
  EXPECT_EQ(o[0].duration, nanoseconds(10));
}

TEST(Simai, ExpertsAreNeighboursAmongTheDataRanks) {
  const JobProgram job =
      sound_job(read_text(kHeader + "1\na -1 10 ALLREDUCE 100 20 NONE 0 30 NONE 0 0\n"));
  const auto group_of = [&](int rank, std::size_t slot) {
    return job
        .groups[static_cast<std::size_t>(job.ranks[static_cast<std::size_t>(rank)].groups[slot])]
        .ranks;
  };
  EXPECT_EQ(group_of(5, 0), (std::vector<int>{4, 5}));        // tensor 2
  EXPECT_EQ(group_of(5, 1), (std::vector<int>{1, 3, 5, 7}));  // data 4
  EXPECT_EQ(group_of(5, 2), (std::vector<int>{5, 7}));        // expert 2
  EXPECT_EQ(group_of(5, 3), (std::vector<int>{1, 5}));        // data among experts
}

TEST(Simai, MistakesAreNamedByLine) {
  const std::string row = "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
  EXPECT_EQ(refusal_of(kHeader + "1\n" + row), "accepted");
  EXPECT_EQ(refusal_of(kHeader + "2\n" + row),
            "2: announces 2 rows, 1 follow: the file is cut short or damaged");
  EXPECT_EQ(refusal_of(kHeader + "1\na -1 1 NONE 0\n"), "3: a row has 12 columns, this one 5");
  EXPECT_EQ(refusal_of(kHeader + "1\na -1 1 ALLREDUSE 0 1 NONE 0 1 NONE 0 1\n"),
            "3: unknown collective 'ALLREDUSE'; did you mean 'ALLREDUCE'?");
  EXPECT_EQ(refusal_of(kHeader + "1\na 3 1 NONE 0 1 NONE 0 1 NONE 0 1\n"),
            "3: depends on '3'; only -1, the row before, is understood");
  EXPECT_EQ(refusal_of("MICRO dpp: 3\n1\n" + row), "1: unknown key 'dpp'; did you mean 'pp'?");
  EXPECT_EQ(refusal_of("MICRO pp: 3 all_gpus: 8\n1\n" + row),
            "1: ranks 8 is no multiple of tensor x pipeline, 3");
}

TEST(SimaiOfTheSource, EveryWorkloadIsReadOrRefusedWithItsLine) {
  const std::string folder = reference_path("training/simai-workloads");
  TRAINYARD_NEEDS(folder);
  int read = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    RecordedOptions options;
    options.files = {entry.path().string()};
    try {
      EXPECT_EQ(read_recorded(options, "").format, "simai");
      ++read;
    } catch (const InputError& error) {
      // Its second line promises 839 rows; the file has 33.
      EXPECT_NE(std::string(error.what()).find("C05_Llama65B"), std::string::npos);
      ++refused;
    }
  }
  EXPECT_EQ(read, 8);
  EXPECT_EQ(refused, 1);
}

TEST(SimaiOfTheSource, TheMixtureOfExpertsOf9216RanksHoldsWhatItsRowsHold) {
  const std::string file = reference_path("training/simai-workload_analytical.txt");
  TRAINYARD_NEEDS(file);
  RecordedOptions options;
  options.files = {file};
  const JobProgram job = assemble(read_recorded(options, ""));
  EXPECT_EQ(job.ranks.size(), 9216U);
  EXPECT_EQ(job.programs.size(), 1U);
  std::map<std::string, std::int64_t> counts;
  for (const Traffic& t : traffic_of(job)) counts[t.slot + " " + to_string(t.kind)] = t.count;
  EXPECT_EQ(counts["ep all_to_all"], 768);  // counted in the file: ALLTOALL_EP
  EXPECT_EQ(counts["dp_ep all_gather"], 1);
  EXPECT_EQ(counts["tp all_reduce"], 32);
  EXPECT_EQ(counts["tp all_gather"] + counts["dp all_gather"], 1177);
}

// ---- AICB ----

TEST(Aicb, ARowIsACollectiveOfAllRanks) {
  const JobProgram job = sound_job(read_text(
      "[rank0 ~ rank7]\n"
      "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,algbw,"
      "busbw,count\n"
      "CommType.all_reduce,CommGroup.tp_group,2,64,forward,None,None,,None,None,None,1\n"
      "CommType.broadcast,CommGroup.dp_group,4,32,init,None,0,,None,None,None,1\n"
      "CommType.epoch_end,None,None,0,,None,None,,None,None,None,1\n"
      "CommType.barrier,CommGroup.all,8,0,end,None,None,,None,None,None,1\n"));
  EXPECT_EQ(job.ranks.size(), 8U);
  const std::vector<Operation>& o = job.programs[0].operations;
  ASSERT_EQ(o.size(), 3U);
  EXPECT_EQ(o[0].collective, CollectiveKind::AllReduce);
  EXPECT_EQ(o[1].size, bytes(32));
  EXPECT_EQ(o[2].collective, CollectiveKind::Barrier);
  EXPECT_EQ(o[2].after, std::vector<int>{1});  // one after another, whatever the group
}

TEST(AicbOfTheSource, ThePlanOfZeRoHoldsItsCollectives) {
  const std::string file = reference_path("training/aicb-L7B-D1-C02_Llama7B_zero3_mbs1.csv");
  TRAINYARD_NEEDS(file);
  RecordedOptions options;
  options.files = {file};
  const JobProgram job = sound_job(read_recorded(options, ""));
  std::map<std::string, std::int64_t> counts;
  for (const Traffic& t : traffic_of(job)) counts[to_string(t.kind)] = t.count;
  EXPECT_EQ(counts, (std::map<std::string, std::int64_t>{{"all_reduce", 2},
                                                         {"all_gather", 938},
                                                         {"reduce_scatter", 7},
                                                         {"broadcast", 291},
                                                         {"barrier", 3}}));
}

TEST(TraceFormats, WhatIsNoneOfThemIsRefused) {
  EXPECT_EQ(refusal_of("hello\n"),
            " its content is of no known format; --format names one, 'trainyard list' lists them");
}

}  // namespace
}  // namespace trainyard
