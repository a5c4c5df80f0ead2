// Nodes for a request among candidates, given what is in use: Slurm's choose_nodes().
#pragma once

#include "schedulers/slurm/select/evaluate.hpp"

namespace trainyard::slurm {

// What does not change while one job is tested again and again.
struct SelectionOf {
  const SlurmSite& site;
  const SlurmPartition& partition;
  const Request& request;
  NodeCounts counts;
};

// How many nodes the job may take in this partition; most < least if it never fits.
NodeCounts node_counts(const SlurmPartition& partition, const Request& request);

Nodes choose_nodes(const SelectionOf& selection, const NodeSet& candidates, const ClusterUse& use);

}  // namespace trainyard::slurm
