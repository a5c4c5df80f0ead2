// NCCL 2.30's tuning constants (src/graph/tuning.cc, topo.h, search.cc), as they stand there:
// latencies in us, bandwidths in GB/s. By algorithm in the order of NcclAlgorithm, and by protocol.
#pragma once

#include "collectives/tuner/tuner.hpp"

#include <array>
#include <vector>

namespace trainyard::nccl {

using PerProtocol = std::array<double, 3>;

enum class Hardware { NvLink, Pcie, Net };
const PerProtocol& base_latency(NcclAlgorithm algorithm);
const PerProtocol& hardware_latency(Hardware hardware, NcclAlgorithm algorithm);
double posting_overhead(CpuVendor cpu);

// By generation; the column is for 1, 2 or more nodes.
struct PerNodes {
  double one, two, more;

  double at(int nodes) const { return nodes == 1 ? one : nodes == 2 ? two : more; }
};
struct Generation {
  PerNodes ll, ring_ll128, tree_ll128, tree, nvls_tree;
  double nvls_efficiency;
};
const Generation& generation(int sm);
// On several nodes LL is limited by the processor, not the GPU.
double ll_limit(int sm, CpuVendor cpu, int nodes);

// Factor on a tree's bandwidth for a size of 64 B << index.
double tree_correction(NcclProtocol protocol, int index);
constexpr int kTreeCorrections = 24;

const std::vector<double>& intra_speeds(int sm);
const std::vector<double>& inter_speeds(int sm);

}  // namespace trainyard::nccl
