// Steps of parallel training: written, placed, folded and played, as `trainyard step` does for each
// point of a sweep; and a recorded trace, read.
#include "base/text.hpp"
#include "rows/program.hpp"
#include "rows/row.hpp"
#include "unit/workload/recorded/et_writer.hpp"
#include "workload/importers/trace_formats.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace trainyard::bench {

namespace {

const std::string kSource = TRAINYARD_SOURCE_DIR;

// Runs a sweep of steps; the time of the fastest, and how many points there were.
Outcome sweep(const std::string& experiment) {
  const TemporaryFolder folder;
  const std::string table = (folder / "steps.csv").string();
  run_trainyard({"step", experiment, "--csv", table});
  std::ifstream csv(table);
  std::string header, point, gpus;
  double step = 0;
  std::getline(csv, header);
  std::getline(csv, point, ',');
  std::getline(csv, gpus, ',');
  if (!(csv >> step) || step <= 0) throw std::runtime_error("no step in " + header);
  Outcome outcome;
  outcome.simulated = seconds(step);
  outcome.note = "the fastest step " + fixed(1000 * step, 1) + " ms";
  outcome.uncounted_cpu_s = own_cpu_s();
  return outcome;
}

Outcome one_step(const std::string& platform, const std::string& model, const std::string& layout,
                 int gpus) {
  const TemporaryFolder folder;
  folder.write("experiment.yaml", "platform: " + kSource + "/platforms/" + platform +
                                      "\n"
                                      "plans:\n"
                                      "  p: {model: " +
                                      kSource + "/experiments/models/" + model +
                                      ", layout: " + layout +
                                      ", check_memory: off}\n"
                                      "workload:\n"
                                      "  - jobs: [{name: j, gpus: " +
                                      std::to_string(gpus) +
                                      ", plan: p, steps: 1}]\n"
                                      "sweep: {seed: [1]}\n");
  return sweep((folder / "experiment.yaml").string());
}

Outcome gpt3_on_1024() {
  return one_step("dgx_h100_x128_rail.xml", "gpt3_175b.yaml",
                  "{tensor: 8, sequence_parallel: on, pipeline: 8, schedule: interleaved, "
                  "chunks: 2, micro_batch: 1, global_batch: 1536, zero: 1, recompute: selective}",
                  1024);
}

Outcome llama_on_16384() {
  return one_step("dgx_h100_x2048_rail.xml", "llama3_1_405b.yaml",
                  "{tensor: 8, pipeline: 16, count_embedding: on, schedule: interleaved, "
                  "chunks: 8, zero: 1, micro_batch: 1, global_batch: 2048}",
                  16384);
}

Outcome all_layouts() { return sweep(kSource + "/experiments/04_parallelism/experiment.yaml"); }

// 100 MB of one rank: computations and an all-reduce now and then, each after the one before.
std::string big_trace() {
  namespace chakra = trainyard::testing;
  std::string text = chakra::metadata();
  const std::string all_reduce =
      chakra::int64("comm_type", 0) + chakra::int64("comm_size", 1 << 20);
  const std::string work = chakra::int64("num_ops", 1'000'000) + chakra::int64("tensor_size", 4096);
  for (std::uint64_t id = 1; text.size() < 100'000'000; ++id) {
    std::string name = "layer.";
    name.append(std::to_string(id % 96)).append(".attention.linear_qkv.forward");
    std::string rest = id > 1 ? chakra::waits_for(id - 1) : "";
    const bool collective = id % 20 == 0;
    if (!collective) rest.append(chakra::number_field(7, 25));
    rest.append(collective ? all_reduce : work);
    text += chakra::node(id, name, collective ? chakra::kCollective : chakra::kCompute, rest);
  }
  return text;
}

Outcome read_100_megabytes() {
  const TemporaryFolder folder;
  const std::string file = (folder / "trace.0.et").string();
  std::ofstream(file, std::ios::binary) << big_trace();
  Outcome outcome;
  outcome.uncounted_cpu_s = own_cpu_s();
  RecordedOptions options;
  options.files = {file};
  const RecordedStep step = read_recorded(options, "chakra");
  outcome.events = static_cast<std::int64_t>(step.ranks.at(0).operations.size());
  outcome.note = counted(outcome.events, "operation");
  return outcome;
}

}  // namespace

std::vector<Row> step_rows() {
  return {
      {"step_175b", "a step of GPT-3 175B on 1,024 GPUs, folded", 0.5, 0, "", gpt3_on_1024,
       nullptr},
      {"step_405b", "a step of Llama 3.1 405B on 16,384 GPUs, folded", 1, 4294.9, "",
       llama_on_16384, nullptr},
      {"layouts", "all 206 layouts of 175B on 1,024 GPUs that fit, of 864 (60 s on 2 cores)", 120,
       0, "", all_layouts, nullptr},
      {"chakra", "a Chakra trace of 100 MB, read", 3, 0, "", read_100_megabytes, nullptr},
  };
}

}  // namespace trainyard::bench
