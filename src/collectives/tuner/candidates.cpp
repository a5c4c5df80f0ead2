// Which of NCCL's algorithms and protocols are available, and how long each takes by its model.
#include "collectives/tuner/constants.hpp"

#include <algorithm>

namespace trainyard {
namespace {

constexpr NcclAlgorithm kAlgorithms[] = {
    NcclAlgorithm::Tree,         NcclAlgorithm::Ring, NcclAlgorithm::CollNetDirect,
    NcclAlgorithm::CollNetChain, NcclAlgorithm::Nvls, NcclAlgorithm::NvlsTree,
    NcclAlgorithm::Pat};
constexpr NcclProtocol kProtocols[] = {NcclProtocol::LL, NcclProtocol::LL128, NcclProtocol::Simple};

bool fits_kind(CollectiveKind kind, NcclAlgorithm algorithm) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return algorithm != NcclAlgorithm::Pat;
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
      return algorithm == NcclAlgorithm::Ring || algorithm == NcclAlgorithm::Pat ||
             algorithm == NcclAlgorithm::Nvls || algorithm == NcclAlgorithm::CollNetDirect;
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
      return algorithm == NcclAlgorithm::Ring;
    default:
      return false;
  }
}

bool fits_hardware(const TunerInput& input, NcclAlgorithm algorithm) {
  switch (algorithm) {
    case NcclAlgorithm::Tree:
    case NcclAlgorithm::Ring:
      return true;
    case NcclAlgorithm::CollNetDirect:
      return input.collnet && input.nodes > 1 && input.nvswitch;
    case NcclAlgorithm::CollNetChain:
      return input.collnet && input.nodes > 1;
    case NcclAlgorithm::Nvls:
      return input.nvls && (input.nodes == 1 || input.collnet);
    case NcclAlgorithm::NvlsTree:
      return input.nvls && input.nodes > 1;
    case NcclAlgorithm::Pat:
      return input.ranks == input.nodes;
  }
  return false;
}

bool fits_protocol(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  if (protocol == NcclProtocol::Simple) return true;
  if (algorithm != NcclAlgorithm::Tree && algorithm != NcclAlgorithm::Ring) return false;
  return protocol == NcclProtocol::LL || (input.ll128_paths && input.sm >= 70);
}

int size_index(Bytes size) {
  int log = 0;
  while (size.count() >> 6 >> (log + 1) != 0) ++log;
  return log;
}

// Trees do not quite keep to the model for middle sizes.
double correction(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  if (input.kind != CollectiveKind::AllReduce) return 1;
  const int index = size_index(input.size);
  const bool x86 = input.cpu != CpuVendor::Other;
  const bool tree = algorithm == NcclAlgorithm::Tree && index <= 22;
  const bool nvls_tree = algorithm == NcclAlgorithm::NvlsTree && input.sm >= 100 && x86 &&
                         index < nccl::kTreeCorrections;
  return tree || nvls_tree ? nccl::tree_correction(protocol, index) : 1;
}

// The plateau of rings over nodes: longer chunks, more latency.
double plateau(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  const bool long_ring = algorithm == NcclAlgorithm::Ring && protocol == NcclProtocol::Simple &&
                         input.nodes > 1 && input.kind == CollectiveKind::AllReduce &&
                         input.size.count() >= std::int64_t{64} * input.plan.channels * input.ranks;
  if (!long_ring) return 1;
  return input.sm < 80 ? 1.9 : 1.4;
}

}  // namespace

bool nccl_available(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol) {
  return fits_kind(input.kind, algorithm) && fits_hardware(input, algorithm) &&
         fits_protocol(input, algorithm, protocol) &&
         nccl_bandwidth(input, algorithm, protocol) > Bandwidth();
}

std::vector<Candidate> nccl_candidates(const TunerInput& input) {
  std::vector<Candidate> all;
  if (input.ranks < 2) return all;
  for (const NcclAlgorithm algorithm : kAlgorithms)
    for (const NcclProtocol protocol : kProtocols) {
      if (!nccl_available(input, algorithm, protocol)) continue;
      const Seconds latency =
          nccl_latency(input, algorithm, protocol) * plateau(input, algorithm, protocol);
      const Bandwidth bandwidth =
          nccl_bandwidth(input, algorithm, protocol) * correction(input, algorithm, protocol);
      all.push_back({algorithm, protocol, latency, bandwidth, latency + input.size / bandwidth});
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
  return all;
}

}  // namespace trainyard
