#include "schedulers/slurm/select/evaluate.hpp"

namespace trainyard::slurm {

namespace {

bool by_tree(const Evaluation& e) {
  return !e.site.switches.empty() && !e.request.contiguous &&
         (!e.site.parameters.topology_optional || e.request.switches > 0);
}

}  // namespace

Nodes evaluate(const Evaluation& e, const NodeSet& candidates) {
  if (candidates.count() < e.counts.least) return {};
  if (e.request.has_required() && !candidates.contains(e.request.required)) return {};
  if (e.request.spread) return evaluate_spread(e, candidates);
  if (e.site.parameters.lln || e.partition.lln) return evaluate_least_loaded(e, candidates);
  if (by_tree(e)) return evaluate_tree(e, candidates);
  if (!e.site.blocks.empty()) return evaluate_block(e, candidates);
  return evaluate_consecutive(e, candidates);
}

int leaves_of(const SlurmSite& site, const NodeSet& nodes) {
  int leaves = 0;
  for (const SlurmSwitchRecord& each : site.switches)
    leaves += each.level == 0 && each.nodes.intersects(nodes) ? 1 : 0;
  return leaves;
}

}  // namespace trainyard::slurm
