// NCCL's bandwidth of each algorithm and protocol, without its correction for the size.
#include "collectives/tuner/constants.hpp"

#include <algorithm>
#include <limits>

namespace trainyard {
namespace {

struct Graph {  // a channel's bandwidths in GB/s
  int channels, nodes, per_node;
  double intra, inter;

  double all(double one) const { return channels * one; }
};

Graph graph_of(const TunerInput& input) {
  return {input.plan.channels, input.nodes, input.ranks / input.nodes,
          in_gigabytes_per_second(input.plan.intra), in_gigabytes_per_second(input.plan.inter)};
}

double bus_of_ring(const TunerInput& input, NcclProtocol protocol, double bus) {
  const nccl::Generation& limits = nccl::generation(input.sm);
  if (protocol == NcclProtocol::LL)
    return std::min(nccl::ll_limit(input.sm, input.cpu, input.nodes), .5 * bus);
  if (protocol == NcclProtocol::LL128)
    return std::min(.92 * bus, input.plan.channels * limits.ring_ll128.at(input.nodes));
  return bus;
}

double bus_of_tree(const TunerInput& input, NcclProtocol protocol, double bus) {
  const nccl::Generation& limits = nccl::generation(input.sm);
  const int channels = input.plan.channels;
  bus = std::min(.92 * bus, channels * limits.tree.at(input.nodes));
  if (protocol == NcclProtocol::LL)
    bus = std::min(bus / 3.8, nccl::ll_limit(input.sm, input.cpu, input.nodes));
  if (protocol == NcclProtocol::LL128)
    bus = std::min(bus * (input.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                   channels * limits.tree_ll128.at(input.nodes));
  return input.plain_tree ? .85 * bus : bus;
}

// Each byte passes the switch once for a ring's two; one channel in nCh is lost to the rest. On one
// node no network limits it.
double bus_of_nvls(const TunerInput& input, NcclAlgorithm algorithm) {
  const Graph graph = graph_of(input);
  if (graph.channels < 2) return 0;
  const nccl::Generation& limits = nccl::generation(input.sm);
  const double passes =
      input.kind == CollectiveKind::AllReduce ? 2 : (graph.per_node - 1.0) / graph.per_node;
  double one =
      graph.intra * limits.nvls_efficiency * (graph.channels - 1) / graph.channels * passes;
  const bool tree = algorithm == NcclAlgorithm::NvlsTree;
  if (graph.nodes > 1) one = std::min(one, graph.inter * (tree && graph.nodes == 2 ? 2 : 1));
  if (tree) one = std::min(one, limits.nvls_tree.at(graph.nodes));
  return graph.all(one);
}

double bus(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  const Graph graph = graph_of(input);
  const bool collnet =
      algorithm == NcclAlgorithm::CollNetDirect || algorithm == NcclAlgorithm::CollNetChain;
  const double bus = graph.all(graph.nodes <= 2 || collnet ? graph.intra : graph.inter);
  switch (algorithm) {
    case NcclAlgorithm::Ring:
      return bus_of_ring(input, protocol, bus);
    case NcclAlgorithm::Tree:
      return bus_of_tree(input, protocol, bus);
    case NcclAlgorithm::Nvls:
    case NcclAlgorithm::NvlsTree:
      return bus_of_nvls(input, algorithm);
    case NcclAlgorithm::Pat:
      return .75 * bus;
    case NcclAlgorithm::CollNetDirect:
    case NcclAlgorithm::CollNetChain:
      return bus;
  }
  return 0;
}

// From bytes on the wire to bytes of the buffer.
double conversion(const TunerInput& input, NcclAlgorithm algorithm) {
  const bool ring = algorithm == NcclAlgorithm::Ring;
  const bool gather =
      input.kind == CollectiveKind::AllGather || input.kind == CollectiveKind::ReduceScatter;
  if (gather && !ring) return 1;
  if (!ring && algorithm != NcclAlgorithm::Nvls && algorithm != NcclAlgorithm::NvlsTree) return .5;
  const double n = input.ranks;
  if (input.kind == CollectiveKind::AllReduce) return n / (2 * (n - 1));
  return gather ? n / (n - 1) : 1;
}

}  // namespace

Bandwidth nccl_bandwidth(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  return gigabytes_per_second(bus(input, algorithm, protocol) * conversion(input, algorithm));
}

Bandwidth nccl_nvlink(int sm) {
  if (sm >= 100) return gigabytes_per_second(40.1);
  if (sm >= 90) return gigabytes_per_second(20.6);
  if (sm == 86) return gigabytes_per_second(12);
  return gigabytes_per_second(sm >= 70 ? 20 : 18);
}

ChannelPlan search_channels(int sm, Bandwidth inside_node, Bandwidth between_nodes) {
  constexpr double kRounding = 1 + 1e-9;
  constexpr int kMostChannels = 32;
  ChannelPlan best;
  Bandwidth reached;
  for (const double speed : nccl::intra_speeds(sm)) {
    const Bandwidth one = gigabytes_per_second(speed);
    const int channels = static_cast<int>(inside_node / one * kRounding);
    if (channels > kMostChannels) break;
    if (channels * one <= reached * kRounding) continue;
    reached = channels * one;
    best = {channels, one, Bandwidth()};
  }
  if (best.channels == 0) return best;
  for (const double speed : nccl::inter_speeds(sm)) {
    const Bandwidth one = gigabytes_per_second(speed);
    if (best.channels * one > between_nodes * kRounding || one > best.intra) continue;
    best.inter = one;
    break;
  }
  return best;
}

}  // namespace trainyard
