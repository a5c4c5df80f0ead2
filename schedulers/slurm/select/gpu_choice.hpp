// Which GPUs of the chosen nodes, and which cores beside them: gres_select_filter.c.
#pragma once

#include "schedulers/slurm/select/cluster_use.hpp"
#include "schedulers/slurm/select/request.hpp"

#include <cstdint>
#include <optional>

namespace trainyard::slurm {

// GPUs of one node for a job that wants `count` on each: one of each socket with chosen cores, then
// more of those sockets, then others; the best linked first where links are known.
std::uint64_t gpus_of_node(const SlurmNode& node, std::uint64_t used, const CoresBySocket& cores,
                           int count);

// The job's share of every chosen node. Nothing if its GPUs cannot be had after all.
std::optional<Allocation> allocate(const SlurmSite& site, const Request& request,
                                   const NodeSet& nodes, const ClusterUse& use);

}  // namespace trainyard::slurm
