// Traces: `trainyard run` as a user runs it, from the experiment's file to the written results.
#include "base/rng.hpp"
#include "rows/experiments.hpp"
#include "rows/program.hpp"
#include "rows/row.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace trainyard::bench {

namespace {

namespace fs = std::filesystem;

std::string steps_of(const nlohmann::json& compression) {
  const auto count = [&](const char* name) {
    return std::to_string(compression[name].get<std::int64_t>());
  };
  if (compression["steps_jumped"] == 0) return "";
  return ", " + count("steps_simulated") + " steps simulated, " + count("steps_jumped") +
         " jumped in " + count("jumps") + " jumps, " + count("capped_jumps") + " of them capped";
}

// Runs the folder's experiment. What this process itself does is not counted.
Outcome run_and_read(const TemporaryFolder& folder, std::int64_t completed) {
  run_trainyard(
      {"run", "-q", (folder / "experiment.yaml").string(), "-o", (folder / "results").string()});
  const auto summary = nlohmann::json::parse(std::ifstream(folder / "results" / "summary.json"));
  const auto& metrics = summary["metrics"];
  Outcome outcome;
  outcome.simulated = seconds(summary["end_s"].get<double>());
  outcome.events = summary["events"].get<std::int64_t>();
  outcome.note =
      std::to_string(metrics["completed"].get<std::int64_t>()) + " of " +
      std::to_string(metrics["jobs"].get<std::int64_t>()) + " jobs completed, mean wait " +
      std::to_string(std::lround(metrics["mean_wait_s"].get<double>())) + " s, contention " +
      std::to_string(std::lround(metrics["contention_gpu_s"].get<double>())) + " GPU-s" +
      steps_of(summary["compression"]);
  if (completed > 0)
    expect_near("the number of completed jobs", metrics["completed"].get<double>(),
                static_cast<double>(completed), 0);
  outcome.uncounted_cpu_s = own_cpu_s();
  return outcome;
}

struct TraceJob {
  int processors;
  std::int64_t run_s, limit_s;
};

// Powers of two up to half the cluster, an hour on average with a long tail, limits up to four
// times too long.
std::vector<TraceJob> draw_jobs(int count, int processors, RandomStream stream) {
  std::vector<TraceJob> jobs;
  std::uint64_t sizes = 0;  // 1, 2, 4, ... up to processors / 2
  while (2 << sizes <= processors) ++sizes;
  for (int i = 0; i < count; ++i) {
    TraceJob job{};
    job.processors = 1 << stream.below(sizes);
    job.run_s = 60 + std::lround(std::exp(stream.normal(7.5, 1.2)));
    job.limit_s = std::lround(static_cast<double>(job.run_s) * (1.1 + 3 * stream.uniform()));
    jobs.push_back(job);
  }
  return jobs;
}

// Arrivals at random, so fast that the jobs would keep `load` of the processors busy.
std::string swf_of(const std::vector<TraceJob>& jobs, int processors, double load,
                   RandomStream stream) {
  double work = 0;
  for (const TraceJob& job : jobs) work += static_cast<double>(job.processors * job.run_s);
  const double mean_gap = work / (load * processors) / static_cast<double>(jobs.size());
  std::ostringstream swf;
  swf << "; Version: 2.2\n; MaxProcs: " << processors << '\n';
  double submit = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const int size = jobs[i].processors;
    swf << i + 1 << ' ' << std::lround(submit) << " -1 " << jobs[i].run_s << ' ' << size
        << " -1 -1 " << size << ' ' << jobs[i].limit_s << " -1 1 1 1 -1 -1 -1 -1 -1\n";
    submit += stream.exponential(mean_gap);
  }
  return swf.str();
}

Outcome easy_over(const std::string& swf_file, const TemporaryFolder& folder, int nodes,
                  std::int64_t completed) {
  folder.write("platform.xml", single_switch_xml(nodes));
  folder.write("experiment.yaml",
               "platform: platform.xml\n"
               "workload:\n"
               "  - trace: {format: swf, file: " +
                   swf_file +
                   "}\n"
                   "scheduler: {policy: backfill}\n");
  return run_and_read(folder, completed);
}

Outcome easy_10000_jobs() {
  constexpr int kJobs = 10'000, kNodes = 512;
  const RandomSource random(1);
  const TemporaryFolder folder;
  folder.write("trace.swf", swf_of(draw_jobs(kJobs, kNodes, random.stream("jobs")), kNodes, 0.9,
                                   random.stream("arrivals")));
  return easy_over("trace.swf", folder, kNodes, kJobs);
}

// TRAINYARD_DATA is the folder that holds workload/, or the one above.
std::string reference(const std::string& name) {
  const char* given = std::getenv("TRAINYARD_DATA");
  const fs::path root = given ? fs::path(given) : fs::path(TRAINYARD_SOURCE_DIR) / "../shared";
  for (const fs::path& folder : {root, root / "data"})
    if (fs::exists(folder / "workload" / name)) return (folder / "workload" / name).string();
  return "";
}

Outcome without(const std::string& name) {
  Outcome outcome;
  outcome.absent = name;
  return outcome;
}

Outcome easy_lublin() {
  const std::string file = reference("lublin_256.swf");
  if (file.empty()) return without("workload/lublin_256.swf");
  return easy_over(file, TemporaryFolder(), 256, 10'000);
}

// The log's processors are read as pairs of GPUs, and its parallel jobs train.
Outcome hpc2n_with_contention() {
  const std::string file = reference("HPC2N-2002.head.swf");
  if (file.empty()) return without("workload/HPC2N-2002.head.swf");
  const TemporaryFolder folder;
  folder.write("experiment.yaml",
               "platform: " TRAINYARD_SOURCE_DIR
               "/platforms/fat_tree_2to1_x64.xml\n"
               "network: {routing: ecmp, queue_pairs: 4}\n"
               "plans:\n"
               "  small: {layers: 24, forward: 4 ms, backward: 8 ms, optimizer: 10 ms,"
               " gradient_per_layer: 286 MiB, layers_per_bucket: 6}\n"
               "  large: {layers: 80, forward: 6 ms, backward: 12 ms, optimizer: 20 ms, tensor: 8,"
               " tensor_message: 32 MiB, gradient_per_layer: 190 MiB, layers_per_bucket: 20}\n"
               "workload:\n"
               "  - trace:\n"
               "      format: swf\n"
               "      file: " +
                   file +
                   "\n"
                   "      gpus_per_processor: 2\n"
                   "      plans: [{from_gpus: 64, to_gpus: 512, plan: large},"
                   " {from_gpus: 2, to_gpus: 512, plan: small}]\n"
                   "scheduler: {policy: backfill}\n"
                   "checkpoint: {every: 30 min, write: 20 s}\n"
                   "output: {iterations: segments, timeline: no}\n");
  return run_and_read(folder, 0);
}

}  // namespace

std::vector<Row> trace_rows() {
  return {
      {"easy_10000", "10,000 jobs under EASY on 512 nodes, results written", 1.0, 0,
       "Batsim 9.8 s; ElastiSim 79 s", easy_10000_jobs, nullptr},
      {"easy_lublin", "Lublin's 10,000 jobs under EASY on 256 nodes, results written", 1.0, 0, "",
       easy_lublin, nullptr},
      {"hpc2n", "3,145 jobs of HPC2N, training on the 2:1 tree of 512 GPUs", 120, 0, "",
       hpc2n_with_contention, nullptr},
  };
}

}  // namespace trainyard::bench
