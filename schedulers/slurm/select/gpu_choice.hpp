// Which GPUs of the chosen nodes, and which cores beside them: gres_select_filter.c.
#pragma once

#include "schedulers/slurm/select/cluster_use.hpp"
#include "schedulers/slurm/select/request.hpp"

#include <cstdint>
#include <optional>

namespace trainyard::slurm {

// How GPUs spread over the sockets of the chosen cores: one a socket first, or (since 24.05) in
// proportion to the cores.
enum class GpuSpread { OneASocket, ByCores };
inline GpuSpread gpu_spread(const SlurmVersion& version) {
  return version < SlurmVersion{24, 5} ? GpuSpread::OneASocket : GpuSpread::ByCores;
}

// GPUs of one node for a job that wants `count` on each: spread over the sockets with chosen cores,
// then more of those sockets, then others; the best linked first where links are known.
std::uint64_t gpus_of_node(const SlurmNode& node, std::uint64_t used, const CoresBySocket& cores,
                           int count, GpuSpread spread);

// The job's share of every chosen node. Nothing if its GPUs cannot be had after all.
std::optional<Allocation> allocate(const SlurmSite& site, const Request& request,
                                   const NodeSet& nodes, const ClusterUse& use);

}  // namespace trainyard::slurm
