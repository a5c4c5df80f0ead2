// Nodes by weight until they suffice, as topology/tree and topology/block gather them.
#pragma once

#include "schedulers/slurm/select/evaluate.hpp"
#include "schedulers/slurm/select/filling.hpp"

namespace trainyard::slurm {

// All lighter nodes are taken whole, like required nodes; of the last weight only what is needed.
struct Gathered {
  NodeSet nodes, lighter;
  bool suffice = false;
};
Gathered gather_weights(const Evaluation& evaluation, const Filling& left, const NodeSet& open);

}  // namespace trainyard::slurm
