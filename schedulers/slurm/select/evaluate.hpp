// Which of the nodes that could serve are taken: Slurm's _eval_nodes and its variants.
#pragma once

#include "schedulers/slurm/select/filling.hpp"

#include <optional>

namespace trainyard::slurm {

struct Evaluation {
  const SlurmSite& site;
  const SlurmPartition& partition;
  const Request& request;
  const Offers& offers;
  NodeCounts counts;
};

// The nodes taken of `candidates`, or nothing if they do not suffice.
using Nodes = std::optional<NodeSet>;

Nodes evaluate(const Evaluation& evaluation, const NodeSet& candidates);  // by the site's rules

// Runs of consecutive nodes of equal weight: the tightest that suffices.
Nodes evaluate_consecutive(const Evaluation& evaluation, const NodeSet& candidates);
// A tree of switches: the leaf with the fewest sufficient nodes, then the nearest.
Nodes evaluate_tree(const Evaluation& evaluation, const NodeSet& candidates);
// Blocks of nodes: the tightest that holds the job, or each of its segments.
Nodes evaluate_block(const Evaluation& evaluation, const NodeSet& candidates);
// The least loaded node first.
Nodes evaluate_least_loaded(const Evaluation& evaluation, const NodeSet& candidates);
// As many nodes as allowed, in order.
Nodes evaluate_spread(const Evaluation& evaluation, const NodeSet& candidates);

// How many leaf switches the nodes stand under.
int leaves_of(const SlurmSite& site, const NodeSet& nodes);

}  // namespace trainyard::slurm
