// No input makes a reader of traces crash: ten thousand damaged files of every format are read or
// refused with a message, and what is read is linted and assembled.
#include "base/error.hpp"
#include "et_writer.hpp"
#include "unit/workload/files.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/recorded/summary.hpp"
#include "workload/importers/straggler/timeline.hpp"
#include "workload/importers/trace_formats.hpp"

#include <gtest/gtest.h>

#include <random>

namespace trainyard {
namespace {

using namespace testing;

constexpr int kMutants = 1500;  // of each of seven formats

std::string chakra() {
  const std::string collective =
      flag("is_cpu_op", false) + int64("comm_type", 2) + int64("comm_size", 100) +
      attribute("involved_dim", held_field(28, held_field(1, "\x01\x01"))) +
      attribute("pg_name", held_field(29, ""));
  return metadata() + node(1, "a", kCompute, number_field(7, 25) + int64("num_ops", 9)) +
         node(2, "c", kCollective, waits_for(1) + held_field(4, varint(1)) + collective) +
         node(3, "s", kSend, int64("comm_dst", 1) + int64("comm_tag", 4) + int64("comm_size", 8)) +
         node(4, "r", kReceive, int64("comm_src", 1) + int64("comm_size", 8) + waits_for(2));
}

const char* const kProfile =
    R"({"distributedInfo":{"rank":0,"world_size":2,"pg_config":[{"pg_name":"0","ranks":[0,1]}]},
"traceEvents":[{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,
"dur":1,"args":{"correlation":5}},{"ph":"X","cat":"kernel","name":"ncclKernel","pid":0,"tid":7,
"ts":5.5,"dur":9,"args":{"stream":7,"correlation":5,"Collective name":"allreduce","In msg nelems":8,
"dtype":"Float","Group size":2,"Process Group Name":"0","Process Group Ranks":"[0, 1]"}},
{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":8,"ts":20,"dur":9,"args":{"stream":8}},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","ts":0,"dur":99}]})";

const char* const kExecutionTrace =
    R"({"schema":"1.0.2-chakra.0.0.4","nodes":[{"id":2,"name":"record_param_comms","inputs":{"values":
[[[4,5,0,16,4,"cuda:0"]],3,["0","default_pg"],0,"allreduce",[],[],0,1,2]},"outputs":{"values":[]}},
{"id":1,"name":"## process_group:init ##","inputs":{"values":["[{\"pg_name\": \"0\", \"ranks\": [0,
1]}]"]}}]})";

const char* const kChakraJson =
    R"({"workload_graph":[{"Id":1,"Name":"a","NodeType":4,"runtime":5,"data_deps":[],"is_cpu_op":true},
{"Id":2,"Name":"c","NodeType":7,"data_deps":[1],"ctrlDeps":[3],"comm_type":0,"comm_size":"8"}]})";

const char* const kGoal =
    "num_ranks 2\nrank 0 {\nl1: calc 100 cpu 1\nl2: send 1024b to 1 tag 3 cpu 0 nic 0\n"
    "l2 requires l1\n}\nrank 1 {\nr: recv 1024b from 0 tag 3\nc: calc 5\nc irequires r\n}\n";

const char* const kSimai =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 8 checkpoints: 0 pp_comm 9\n1\n"
    "a\t-1\t10\tALLREDUCE\t100\t20\tALLTOALL_EP\t7\t30\tREDUCESCATTER\t400\t5\n";

const char* const kAicb =
    "[rank0 ~ rank7]\ncomm_type,comm_group,comm_group_size,msg_size,stage\n"
    "CommType.all_reduce,CommGroup.tp_group,2,64,forward\n"
    "CommType.broadcast,CommGroup.dp_group,4,32,init\nCommType.epoch_end,None,None,0,\n";

const char* const kTimeline =
    R"([{"ph":"X","name":"forward-compute","pid":0,"tid":0,"ts":1,"dur":2,"args":{"step":1,"seq_id":0,
"model_chunk":0}},{"ph":"X","name":"optimizer","pid":0,"tid":0,"ts":9,"dur":2,"args":{"step":1,
"seq_id":0}},{"ph":"M","name":"thread_name","pid":0,"tid":0,"args":{"name":"PP rank 0, x"}}])";

// One to four changes: a byte overwritten, a stretch left out, doubled or moved, the end cut off.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % std::max<std::size_t>(1, n); };
  for (std::size_t changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size()), length = 1 + below(12);
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(random() & 0xff);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, length, "-9\xff\x80{["[below(6)]);
        break;
      default:
        text[at] = "0123456789\"{}[],:-\n"[below(19)];
        break;
    }
  }
  return text;
}

void read(const std::string& name, const std::string& path) {
  try {
    if (name == "timeline") {
      read_straggler_timeline(path);
      return;
    }
    RecordedOptions options;
    options.files = {path};
    options.ranks = 2;
    RecordedStep step = read_recorded(options, name);
    fill_alike(step);
    const JobProgram job = assemble(step);
    lint_recorded(step, job);
    traffic_of(job);
  } catch (const Error& error) {
    EXPECT_STRNE(error.what(), "");
  }
}

TEST(Mutants, OfEveryFormatAreReadOrRefused) {
  const std::pair<const char*, std::string> seeds[] = {{"chakra", chakra()},
                                                       {"kineto", kProfile},
                                                       {"pytorch-et", kExecutionTrace},
                                                       {"chakra-json", kChakraJson},
                                                       {"goal", kGoal},
                                                       {"simai", kSimai},
                                                       {"aicb", kAicb},
                                                       {"timeline", kTimeline}};
  std::mt19937 random(20261130);
  for (const auto& [name, seed] : seeds)
    for (int i = 0; i < kMutants; ++i) {
      const TemporaryFile file("mutant.0.x", mutated(seed, random));
      SCOPED_TRACE(std::string(name) + ", mutant " + std::to_string(i));
      ASSERT_NO_FATAL_FAILURE(read(name, file.path()));
    }
}

TEST(Mutants, TheSeedsThemselvesAreSound) {
  for (const auto& [name, seed] :
       {std::pair<std::string, std::string>{"goal", kGoal}, {"simai", kSimai}, {"aicb", kAicb}}) {
    const TemporaryFile file("seed.0.x", seed);
    RecordedOptions options;
    options.files = {file.path()};
    EXPECT_NO_THROW(sound_job(read_recorded(options, ""))) << name;
  }
}

TEST(Mutants, BytesThatAreNotTextAreNamed) {
  const TemporaryFile file("profile.json", "{\"traceEvents\": [{\"name\": \"\xff\xfe\"}]}");
  RecordedOptions options;
  options.files = {file.path()};
  EXPECT_THROW(read_recorded(options, "kineto"), InputError);
}

TEST(Mutants, AGzipThatIsCutShortIsSaidToBe) {
  const std::string whole = gzipped(kProfile);
  const TemporaryFile file("profile.json.gz", whole.substr(0, whole.size() / 2));
  RecordedOptions options;
  options.files = {file.path()};
  try {
    read_recorded(options, "kineto");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), file.path() + ": the gzip data ends too early: the file is truncated");
  }
}

}  // namespace
}  // namespace trainyard
