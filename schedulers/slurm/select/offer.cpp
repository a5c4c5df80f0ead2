#include "schedulers/slurm/select/offer.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

bool lacks_memory(const SlurmNode& node, const Request& request, const NodeUse& use, int cpus) {
  if (request.memory_per_cpu > 0) return use.memory + request.memory_per_cpu * cpus > node.memory;
  if (request.memory_per_node > 0) return use.memory + request.memory_per_node > node.memory;
  return use.memory > 0;  // no memory asked for is all of it
}

// CPUs of free cores; with CR_Socket a socket that is in use offers none.
int free_cpus_of(const SlurmSite& site, const SlurmNode& node, const NodeUse& use) {
  int cores = 0;
  for (int s = 0; s < std::min(node.sockets, kMostSockets); ++s) {
    const int used = use.cores[static_cast<std::size_t>(s)];
    if (site.parameters.sockets_only && used > 0) continue;
    cores += std::max(node.cores_per_socket - used, 0);
  }
  return cores * node.threads_per_core;
}

bool is_idle(const NodeUse& use) {
  return use.gpus == 0 && std::all_of(use.cores.begin(), use.cores.end(),
                                      [](std::int16_t used) { return used == 0; });
}

}  // namespace

Offer offer_of(const SlurmSite& site, const SlurmPartition& partition, const Request& request,
               int node_index, const NodeUse& use) {
  const SlurmNode& node = site.nodes[static_cast<std::size_t>(node_index)];
  Offer offer;
  if (request.exclusive && !is_idle(use)) return offer;
  offer.gpus = node.gpus() - gpu_count(use.gpus);
  if (offer.gpus < request.gpus_per_node || (request.gpus_total > 0 && offer.gpus == 0)) return {};
  offer.free_cpus = free_cpus_of(site, node, use);
  const int needed = request.cpus_on_a_node();
  if (offer.free_cpus < needed || (partition.max_cpus_per_node < needed)) return {};
  if (site.parameters.memory && lacks_memory(node, request, use, needed)) return {};
  if (request.exclusive)
    offer.cpus = offer.free_cpus;
  else if (request.tasks_per_node > 0)
    offer.cpus = needed;
  else
    offer.cpus = offer.free_cpus - offer.free_cpus % request.cpus_per_task;
  return offer;
}

}  // namespace trainyard::slurm
