// NCCL's latency of each algorithm and protocol.
#include "collectives/tuner/constants.hpp"

#include <algorithm>

namespace trainyard {
namespace {

using nccl::Hardware;

int floor_log2(int n) {
  int log = 0;
  while (n >> (log + 1) != 0) ++log;
  return log;
}

bool is_gather(CollectiveKind kind) {
  return kind == CollectiveKind::AllGather || kind == CollectiveKind::ReduceScatter;
}

// What the formulas are made of, in us.
struct Parts {
  double intra, inter;
  int ranks, nodes, per_node;
  bool all_reduce;
};

Hardware inside(const TunerInput& input) {
  return input.intra_link == IntraLink::NvLink ? Hardware::NvLink : Hardware::Pcie;
}

Parts parts_of(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  const auto p = static_cast<std::size_t>(protocol);
  const int per_node = input.ranks / input.nodes;
  // With one GPU a node latencies are fully exposed: the tree's.
  const NcclAlgorithm network = per_node == 1 ? NcclAlgorithm::Tree : algorithm;
  const int flushes = protocol == NcclProtocol::Simple ? 2 : 1;
  return {nccl::hardware_latency(inside(input), algorithm)[p],
          nccl::hardware_latency(Hardware::Net, network)[p] +
              flushes * in_microseconds(input.net_latency),
          input.ranks,
          input.nodes,
          per_node,
          input.kind == CollectiveKind::AllReduce};
}

// Rings that cross nodes still post every step to the network.
double ring(const TunerInput& input, NcclProtocol protocol, const Parts& parts) {
  double overhead = parts.nodes > 1 ? nccl::posting_overhead(input.cpu) : 0;
  if (protocol == NcclProtocol::Simple) overhead *= 3;
  const int passes = parts.all_reduce ? 2 : 1;
  const int between = passes * (parts.nodes - 1);
  const int steps = passes * (parts.ranks - 1);
  return (steps - between) * std::max(parts.intra, overhead) + between * parts.inter;
}

double rooted_ring(const TunerInput& input, NcclProtocol protocol) {
  const Hardware hardware = input.nodes == 1 ? inside(input) : Hardware::Net;
  const auto p = static_cast<std::size_t>(protocol);
  const double ring = nccl::hardware_latency(hardware, NcclAlgorithm::Ring)[p];
  if (input.same_channels) return ring;
  const double tree = nccl::hardware_latency(hardware, NcclAlgorithm::Tree)[p];
  return input.ranks * (protocol == NcclProtocol::Simple ? tree : ring);
}

double beyond_base(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  const Parts parts = parts_of(input, algorithm, protocol);
  const int others = parts.per_node - 1;
  switch (algorithm) {
    case NcclAlgorithm::Ring:
      return parts.all_reduce || is_gather(input.kind) ? ring(input, protocol, parts)
                                                       : rooted_ring(input, protocol);
    case NcclAlgorithm::Tree:
      return 2 * (others * parts.intra + floor_log2(parts.nodes) * parts.inter);
    case NcclAlgorithm::CollNetDirect:
      return 2 * (std::min(1, others) * parts.intra + 0.4 * others) + parts.inter;
    case NcclAlgorithm::CollNetChain:
      return 2 * others * parts.intra + parts.inter;
    case NcclAlgorithm::Nvls:
      return parts.intra + (parts.nodes > 1 ? parts.inter : 0);
    case NcclAlgorithm::NvlsTree:
      return parts.intra + 2 * floor_log2(parts.nodes) * parts.inter;
    case NcclAlgorithm::Pat:
      return floor_log2(parts.nodes) * parts.inter / 3.5 + 2.8 * parts.ranks;
  }
  return 0;
}

}  // namespace

// NVLS has no base of its own: its table says 0.
Seconds nccl_latency(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  const double base = nccl::base_latency(algorithm)[static_cast<std::size_t>(protocol)];
  return microseconds(base + beyond_base(input, algorithm, protocol));
}

}  // namespace trainyard
