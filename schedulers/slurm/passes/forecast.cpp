#include "schedulers/slurm/passes/forecast.hpp"

#include <algorithm>

namespace trainyard::slurm {

const std::vector<int>& Forecast::order() {
  if (known_) return order_;
  order_ = state_.running;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return state_.job(a).end < state_.job(b).end; });
  known_ = true;
  return order_;
}

const Readiness* Forecast::readiness(const JobRecord& record) {
  const Request& request = record.job->request;
  const SlurmPartition& partition = state_.partition(record.partition);
  const SlurmParameters& parameters = state_.site.parameters;
  const bool uniform = request.tasks_per_node > 0 && request.gpus_total == 0;
  const bool plain = !parameters.gang && parameters.preempt == PreemptType::None &&
                     !parameters.lln && !partition.lln && request.switches == 0 &&
                     !partition.share_forced && partition.share == 1;
  if (!uniform || !plain) return nullptr;
  const Shape shape{request.gpus_per_node,  request.cpus_on_a_node(), request.memory_per_node,
                    request.memory_per_cpu, request.exclusive,        record.partition};
  auto found = shapes_.find(shape);
  if (found == shapes_.end()) found = shapes_.emplace(shape, compute(request, partition)).first;
  return &found->second;
}

Readiness Forecast::compute(const Request& request, const SlurmPartition& partition) {
  const SlurmSite& site = state_.site;
  ClusterUse use = state_.use;
  Readiness result;
  result.step.assign(site.nodes.size(), Readiness::kNever);
  result.now = NodeSet(site.node_count());
  result.offers.resize(site.nodes.size());
  const auto look = [&](int node, int step) {
    const Offer offer = offer_of(site, partition, request, node, use[node]);
    if (offer.cpus == 0) return;
    result.step[static_cast<std::size_t>(node)] = step;
    result.offers[static_cast<std::size_t>(node)] = offer;
  };
  state_.with_free_gpus(request.gpus_per_node).each([&](int node) {
    look(node, 0);
    if (result.step[static_cast<std::size_t>(node)] == 0) result.now.add(node);
  });
  int step = 0;
  for (const int index : order()) {
    ++step;
    for (const NodeShare& share : state_.job(index).allocation.shares) {
      if (result.step[static_cast<std::size_t>(share.node)] != Readiness::kNever) continue;
      use.release(share);
      look(share.node, step);
    }
  }
  return result;
}

}  // namespace trainyard::slurm
