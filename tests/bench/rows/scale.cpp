// Clusters of 16,384 and 102,400 GPUs on three levels of switches, by rails; nothing is
// oversubscribed, so that every time has a closed form. And a sweep of nccl-tests.
#include "platforms/xml.hpp"
#include "rows/experiments.hpp"
#include "rows/row.hpp"

#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard::bench {

namespace {

constexpr double kExact = 1e-4;  // of a closed form
constexpr int kLocal = 8;        // GPUs of a node

Platform rail_16384() {
  return load_platform(TRAINYARD_SOURCE_DIR "/platforms/dgx_h100_x2048_rail.xml");
}
Platform rail_102400() { return parse_platform("rail_102400.xml", rail_102400_xml()); }

// The longest way climbs to the cores: two NICs and five switches.
Seconds latency_across() { return 2 * nanoseconds(500) + 5 * nanoseconds(130); }

template <Platform (*Load)()>
Outcome load() {
  const Platform platform = Load();
  const auto routing = make_routing(platform, {});
  Simulation simulation;
  simulation.build(platform, *routing, nominal_capacities(platform), NetworkModel::Flow);
  Outcome outcome;
  outcome.note = std::to_string(platform.gpus.size()) + " GPUs, " +
                 std::to_string(platform.links.size()) + " links";
  return outcome;
}

// One collective of all GPUs; loading does not count.
Outcome play_on_all(Platform platform, CollectiveKind kind, const char* algorithm, Bytes size,
                    Seconds expected) {
  Experiment experiment = on_platform(std::move(platform));
  experiment.plans = {one_collective(kind, algorithm, size)};
  add_job(experiment, experiment.platform.gpu_count(), 1);
  const Played played = play(experiment);
  Outcome outcome;
  outcome.simulated = duration_of(played.log, 0);
  outcome.events = played.log.events;
  outcome.uncounted_cpu_s = played.cpu_when_loaded_s;
  expect_near("the time", in_seconds(outcome.simulated), in_seconds(expected), kExact);
  return outcome;
}

// Inside the nodes 7 rounds, along the rails twice round all nodes. Rails meet nobody under
// D-mod-k.
template <Platform (*Load)()>
Outcome two_level() {
  Platform platform = Load();
  const Bytes size = gibibytes(1);
  const int nodes = platform.node_count();
  const double per_edge = static_cast<double>(size.count()) / kLocal / nodes;
  const Seconds inside = (kLocal - 1) * microseconds(1) +
                         mebibytes(std::int64_t{1024} / kLocal * 7) / gigabytes_per_second(450);
  const Seconds across = 2 * (nodes - 1) * (latency_across() + seconds(per_edge / 50e9));
  return play_on_all(std::move(platform), CollectiveKind::AllReduce, "two_level", size,
                     2 * inside + across);
}

// Inside the nodes an eighth of the buffer for each other GPU, along the rails what a node has for
// one GPU.
Outcome hierarchical_all_to_all() {
  Platform platform = rail_16384();
  const Bytes size = mebibytes(64);
  const int nodes = platform.node_count();
  const Seconds inside =
      microseconds(1) + (kLocal - 1) * (bytes(size.count() / kLocal) / gigabytes_per_second(450));
  const Seconds across =
      latency_across() + (nodes - 1) * (bytes(size.count() / nodes) / gigabytes_per_second(50));
  Outcome outcome = play_on_all(std::move(platform), CollectiveKind::AllToAll, "hierarchical", size,
                                inside + across);
  outcome.uncounted_cpu_s = 0;
  return outcome;
}

// The program itself, from `begin` to `end` by factors of two, the algorithm the tuner's choice.
void sweep(const char* begin, const char* end) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
      execl(TRAINYARD_PROGRAM, TRAINYARD_PROGRAM, "nccl-tests", "all_reduce", "--platform",
            TRAINYARD_SOURCE_DIR "/platforms/dgx_h100_x128_rail.xml", "-b", begin, "-e", end,
            nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("trainyard nccl-tests failed");
}

// Two a doubling: 8 B to 16 GiB, and half as much again.
Outcome sweep_1024() {
  sweep("8", "16G");
  sweep("12", "24G");
  return {};
}

}  // namespace

std::vector<Row> scale_rows() {
  return {
      {"load", "load the 16,384-GPU platform, engine included", 0.5, 0, "", load<rail_16384>,
       nullptr},
      {"two_level_16384", "1 GiB two-level all-reduce, 16,384 GPUs, after load", 0.5, 1073.7,
       "ASTRA-sim 275 s 11 GB", two_level<rail_16384>, nullptr},
      {"a2a_16384", "64 MiB a rank all-to-all, hierarchical, 16,384 GPUs, load included", 5, 2147.5,
       "", hierarchical_all_to_all, nullptr},
      {"load_102400", "load a three-level rail fabric of 102,400 GPUs, engine included", 3, 0, "",
       load<rail_102400>, nullptr},
      {"two_level_102400", "1 GiB two-level all-reduce, 102,400 GPUs, after load", 5, 0, "",
       two_level<rail_102400>, nullptr},
      {"sweep_1024", "trainyard nccl-tests: all_reduce, 64 sizes, 1,024 GPUs", 3, 0, "", sweep_1024,
       nullptr},
  };
}

}  // namespace trainyard::bench
