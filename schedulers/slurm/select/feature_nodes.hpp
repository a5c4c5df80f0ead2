// The nodes that a job's --constraint leaves to it.
#pragma once

#include "schedulers/slurm/job/constraint.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <memory>
#include <vector>

namespace trainyard::slurm {

struct CountedNodes {
  int nodes = 0;
  NodeSet of;
};

// INVARIANT: there is a choice, if only of no nodes at all.
struct FeatureNodes {
  std::vector<NodeSet> choices;      // all nodes are of one of these; the first that does is taken
  NodeSet any;                       // of one choice or another
  std::vector<CountedNodes> counts;  // so many of the nodes are of these

  // One set of nodes, and nothing more.
  bool plain() const { return choices.size() == 1 && counts.empty(); }
};

// Nothing if the constraint is empty.
std::shared_ptr<const FeatureNodes> feature_nodes(const SlurmSite& site,
                                                  const FeatureConstraint& constraint);

// A feature that no node has, or "".
std::string unknown_feature(const SlurmSite& site, const FeatureConstraint& constraint);

}  // namespace trainyard::slurm
