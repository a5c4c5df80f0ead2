// Laws without measurements.
//
// Latencies: NVIDIA/nccl 2.30.7, src/graph/tuning.cc (base, NVLink and network latency a step, by
// protocol LL, LL128, Simple). Rates: LL sends a flag with every 4 bytes (half), LL128 with every
// 120 of 128; what a link delivers under Simple is 0.8 of its figure for NVLink (measured ring
// plateaus: A100 235 of 300, H200 368 of 450, B200 682 of 900 GB/s), 0.94 for a NIC (46 to 49 of 50
// GB/s); the NVSwitch's reduction another .85 (tuning.cc, nvlsEfficiency).
#include "collectives/calibration.hpp"
#include "collectives/tuner/constants.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kNvlink = 0.8, kNic = 0.94, kNvls = 0.85;

constexpr double kOfLink[] = {0.5, 120.0 / 128, 1};  // LL, LL128, Simple
constexpr int kSimple = 2;

// Steps between nodes among the collective's rounds: a ring crosses k-1 times a pass, a tree goes
// up and down its log2 k levels.
int rounds_between_nodes(const Collective& collective, NcclAlgorithm algorithm, int rounds) {
  const int nodes = nodes_of(collective);
  int crossings = nodes - 1;
  if (algorithm == NcclAlgorithm::Tree) crossings = static_cast<int>(std::ceil(std::log2(nodes)));
  if (collective.kind == CollectiveKind::AllReduce) crossings *= 2;
  return std::min(crossings, rounds);
}

CollectiveLaw law_of(NcclAlgorithm algorithm, int protocol, const Collective& collective,
                     int rounds) {
  const auto at = static_cast<std::size_t>(protocol);
  const double inside = nccl::hardware_latency(nccl::Hardware::NvLink, algorithm)[at];
  const double between = nccl::hardware_latency(nccl::Hardware::Net, algorithm)[at];
  // A chain's rounds are its chunks: they follow each other without a step's latency each.
  const bool chunked =
      collective.kind == CollectiveKind::Broadcast || collective.kind == CollectiveKind::Reduce;
  const int steps = chunked ? std::min(rounds, collective.ranks) : rounds;
  const int crossings = rounds_between_nodes(collective, algorithm, steps);
  CollectiveLaw law;
  law.base = microseconds(nccl::base_latency(algorithm)[at]);
  if (rounds > 0)
    law.per_step = microseconds(((steps - crossings) * inside + crossings * between) / rounds);
  law.efficiency = kOfLink[at] * (nodes_of(collective) == 1 ? kNvlink : kNic);
  return law;
}

// One latency for the switch, whatever the steps, and one a level between nodes.
CollectiveLaw nvls_law(const Collective& collective) {
  const auto at = static_cast<std::size_t>(kSimple);
  const double inside = nccl::hardware_latency(nccl::Hardware::NvLink, NcclAlgorithm::Nvls)[at];
  const double between = nccl::hardware_latency(nccl::Hardware::Net, NcclAlgorithm::NvlsTree)[at];
  const int nodes = nodes_of(collective);
  CollectiveLaw law;
  law.base = microseconds(inside + 2 * std::ceil(std::log2(nodes)) * between);
  law.efficiency = nodes == 1 ? kNvls * kNvlink : kNic;
  return law;
}

CollectiveLaw fastest_protocol(NcclAlgorithm algorithm, const Collective& collective, int rounds,
                               Seconds wire) {
  CollectiveLaw best = law_of(algorithm, 0, collective, rounds);
  for (int protocol = 1; protocol <= kSimple; ++protocol) {
    const CollectiveLaw law = law_of(algorithm, protocol, collective, rounds);
    if (law_time(law, Seconds(), rounds, wire) < law_time(best, Seconds(), rounds, wire))
      best = law;
  }
  return best;
}

}  // namespace

CollectiveLaw assumed_law(const Collective& collective, const std::string& algorithm, int rounds,
                          Seconds wire) {
  CollectiveLaw law;
  if (algorithm.rfind("nvls", 0) == 0)
    law = nvls_law(collective);
  else if (algorithm == "double_binary_tree")
    law = fastest_protocol(NcclAlgorithm::Tree, collective, rounds, wire);
  else
    law = fastest_protocol(NcclAlgorithm::Ring, collective, rounds, wire);
  law.kind = collective.kind;
  law.algorithm = algorithm;
  law.nodes_from = law.nodes_to = nodes_of(collective);
  law.source = "NCCL's constants";
  return law;
}

}  // namespace trainyard
