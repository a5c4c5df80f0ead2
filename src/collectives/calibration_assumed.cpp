// Laws without measurements.
//
// Latencies: NVIDIA/nccl 2.30.7, src/graph/tuning.cc (base, NVLink and network latency a step, by
// protocol LL, LL128, Simple). Rates: LL sends a flag with every 4 bytes (half), LL128 with every
// 120 of 128; what a link delivers under Simple is 0.8 of its figure for NVLink (measured ring
// plateaus: A100 235 of 300, H200 368 of 450, B200 682 of 900 GB/s), 0.94 for a NIC (46 to 49 of 50
// GB/s); the NVSwitch's reduction another .85 (tuning.cc, nvlsEfficiency).
#include "collectives/calibration.hpp"

namespace trainyard {

namespace {

constexpr double kNvlink = 0.8, kNic = 0.94, kNvls = 0.85;

struct Protocol {
  double base_us, nvlink_us, net_us, rate;
};
constexpr Protocol kRing[] = {
    {6.6, 0.6, 2.7, 0.5}, {6.6, 1.9, 4.0, 120.0 / 128}, {8.4, 3.4, 14.0, 1}};
constexpr Protocol kTree[] = {
    {6.8, 0.6, 5.0, 0.5}, {14.0, 1.25, 8.5, 120.0 / 128}, {8.4, 4.0, 14.0, 1}};
constexpr Protocol kNvlsSimple[] = {{25.0, 0, 0, kNvls}};

bool begins_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

// Steps between nodes among the collective's rounds: those of a ring cross 2(k-1) times.
int rounds_between_nodes(const Collective& collective, int rounds) {
  const int nodes = nodes_of(collective);
  if (nodes == 1) return 0;
  const int crossings = collective.kind == CollectiveKind::AllReduce ? 2 * (nodes - 1) : nodes - 1;
  return crossings < rounds ? crossings : rounds;
}

CollectiveLaw law_of(const Protocol& protocol, const Collective& collective, int rounds) {
  CollectiveLaw law;
  const int between = rounds_between_nodes(collective, rounds);
  const double steps_us = (rounds - between) * protocol.nvlink_us + between * protocol.net_us;
  law.base = microseconds(protocol.base_us);
  if (rounds > 0) law.per_step = microseconds(steps_us / rounds);
  law.efficiency = protocol.rate * (nodes_of(collective) == 1 ? kNvlink : kNic);
  return law;
}

template <std::size_t Count>
CollectiveLaw fastest(const Protocol (&protocols)[Count], const Collective& collective, int rounds,
                      Seconds wire) {
  CollectiveLaw best = law_of(protocols[0], collective, rounds);
  for (std::size_t i = 1; i < Count; ++i) {
    const CollectiveLaw law = law_of(protocols[i], collective, rounds);
    if (law_time(law, Seconds(), rounds, wire) < law_time(best, Seconds(), rounds, wire))
      best = law;
  }
  return best;
}

}  // namespace

CollectiveLaw assumed_law(const Collective& collective, const std::string& algorithm, int rounds,
                          Seconds wire) {
  CollectiveLaw law;
  if (begins_with(algorithm, "nvls"))
    law = fastest(kNvlsSimple, collective, rounds, wire);
  else if (algorithm.find("tree") != std::string::npos)
    law = fastest(kTree, collective, rounds, wire);
  else
    law = fastest(kRing, collective, rounds, wire);
  law.kind = collective.kind;
  law.algorithm = algorithm;
  law.nodes_from = law.nodes_to = nodes_of(collective);
  law.source = "NCCL's constants";
  return law;
}

}  // namespace trainyard
