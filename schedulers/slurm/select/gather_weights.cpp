#include "schedulers/slurm/select/gather_weights.hpp"

#include <map>

namespace trainyard::slurm {

Gathered gather_weights(const Evaluation& evaluation, const Filling& left, const NodeSet& open) {
  std::map<int, NodeSet> by_weight;
  open.each([&](int node) {
    if (left.chosen.has(node)) return;
    const int weight = evaluation.site.nodes[static_cast<std::size_t>(node)].weight;
    by_weight.try_emplace(weight, open.size()).first->second.add(node);
  });
  Gathered gathered{NodeSet(open.size()), NodeSet(open.size())};
  int cpus = 0, gpus = 0;
  for (const auto& [weight, nodes] : by_weight) {
    gathered.lighter |= gathered.nodes;
    gathered.nodes |= nodes;
    nodes.each([&](int node) {
      const Offer& offer = evaluation.offers[static_cast<std::size_t>(node)];
      cpus += offer.cpus, gpus += offer.gpus;
    });
    gathered.suffice = left.sufficient(gathered.nodes.count(), cpus, gpus);
    if (gathered.suffice) break;
  }
  return gathered;
}

}  // namespace trainyard::slurm
