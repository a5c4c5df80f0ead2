// What one node has to offer to one request.
#pragma once

#include "schedulers/slurm/select/cluster_use.hpp"
#include "schedulers/slurm/select/request.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <vector>

namespace trainyard::slurm {

struct Offer {
  int cpus = 0;       // of which the request can make use; 0: none
  int free_cpus = 0;  // all that are free
  int gpus = 0;       // that are free
};

// By node; nodes outside `candidates` offer nothing.
using Offers = std::vector<Offer>;

Offer offer_of(const SlurmSite& site, const SlurmPartition& partition, const Request& request,
               int node, const NodeUse& use);

}  // namespace trainyard::slurm
