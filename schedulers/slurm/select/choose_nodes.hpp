// Nodes for a request among candidates, given what is in use: Slurm's choose_nodes().
#pragma once

#include "schedulers/slurm/select/evaluate.hpp"
#include "schedulers/slurm/select/feature_nodes.hpp"

namespace trainyard::slurm {

// What does not change while one job is tested again and again.
struct SelectionOf {
  const SlurmSite& site;
  const SlurmPartition& partition;
  const Request& request;
  NodeCounts counts;
  const FeatureNodes* features = nullptr;  // whose counts are to be met; nullptr: none
};

// How many nodes the job may take in this partition; most < least if it never fits.
NodeCounts node_counts(const SlurmPartition& partition, const Request& request);

// The part of a request that a count of --constraint asks for: so many nodes, each as the others.
Request counted_request(const Request& request, int nodes);

// Of one of the choices that features leave, which the candidates are already confined to.
Nodes choose_nodes(const SelectionOf& selection, const NodeSet& candidates, const ClusterUse& use);

// Whether an idle cluster has such nodes among the candidates, of any choice.
bool fits_idle(const SelectionOf& selection, const NodeSet& candidates);

}  // namespace trainyard::slurm
