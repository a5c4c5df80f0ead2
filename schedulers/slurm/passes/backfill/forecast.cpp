#include "schedulers/slurm/passes/backfill/forecast.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

bool takes_the_same_everywhere(const Request& request) {
  return request.tasks_per_node > 0 && request.gpus_total == 0;
}

// Nothing but ends of jobs makes room, and a job fits or does not.
bool is_plain(const SlurmParameters& parameters, const SlurmPartition& partition) {
  return !parameters.gang && parameters.preempt == PreemptType::None && !parameters.lln &&
         !partition.lln && !partition.share_forced && partition.share == 1;
}

}  // namespace

const NodeSet& Readiness::by(std::size_t ends) {
  const auto found = by_.find(ends);
  if (found != by_.end()) return found->second;
  NodeSet& nodes = by_.emplace(ends, ever.size()).first->second;
  const int last = static_cast<int>(ends);
  nodes.fill([&](int node) { return step[static_cast<std::size_t>(node)] <= last; });
  return nodes;
}

const std::vector<int>& Forecast::order() {
  if (known_) return order_;
  order_ = state_.running;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return state_.job(a).end < state_.job(b).end; });
  keep_order();
  known_ = true;
  return order_;
}

void Forecast::keep_order() {
  ends_.clear();
  nodes_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const JobRecord& record = state_.job(order_[i]);
    ends_.push_back(record.end);
    nodes_[i].clear();
    for (const NodeShare& share : record.allocation.shares) nodes_[i].push_back(share.node);
  }
}

std::size_t Forecast::ended_by(Time time) {
  order();
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), time) -
                                  ends_.begin());
}

Forecast::Shape Forecast::shape_of(const JobRecord& record) {
  const Request& request = record.job->request;
  return {request.gpus_per_node,  request.cpus_on_a_node(), request.memory_per_node,
          request.memory_per_cpu, request.exclusive,        record.partition};
}

Readiness* Forecast::readiness(const JobRecord& record) {
  const Request& request = record.job->request;
  const SlurmPartition& partition = state_.partition(record.partition);
  if (!takes_the_same_everywhere(request) || request.switches > 0 ||
      !is_plain(state_.site.parameters, partition) || state_.has_its_topology(record) ||
      state_.running_with_their_topology() > 0)
    return nullptr;
  const Shape shape = shape_of(record);
  const auto found = shapes_.find(shape);
  if (found != shapes_.end()) return &found->second;
  const int nodes = state_.site.node_count();
  Readiness& ready = shapes_[shape];
  ready.request = request;
  ready.partition = record.partition;
  ready.step.resize(static_cast<std::size_t>(nodes));
  ready.offers.resize(static_cast<std::size_t>(nodes));
  ready.now = ready.ever = NodeSet(nodes);
  look_at(ready, NodeSet::all(nodes));
  return &ready;
}

// From now on through all ends, until each of the nodes is ready.
void Forecast::look_at(Readiness& ready, const NodeSet& nodes) {
  const SlurmPartition& partition = state_.partition(ready.partition);
  NodeSet waiting = nodes;
  const auto look = [&](int node, int step) {
    const Offer offer = offer_of(state_.site, partition, ready.request, node, use_[node]);
    if (offer.cpus == 0) return;
    ready.step[static_cast<std::size_t>(node)] = step;
    ready.offers[static_cast<std::size_t>(node)] = offer;
    ready.ever.add(node);
    if (step == 0) ready.now.add(node);
    waiting.remove(node);
  };
  ready.now -= nodes, ready.ever -= nodes;
  nodes.each([&](int node) {
    ready.step[static_cast<std::size_t>(node)] = Readiness::kNever;
    ready.offers[static_cast<std::size_t>(node)] = {};
    use_[node] = state_.use[node];
    if (state_.with_free_gpus(ready.request.gpus_per_node).has(node)) look(node, 0);
  });
  order();
  for (std::size_t i = 0; i < order_.size() && !waiting.empty(); ++i)
    for (std::size_t s = 0; s < nodes_[i].size(); ++s) {
      if (!waiting.has(nodes_[i][s])) continue;
      use_.release(state_.job(order_[i]).allocation.shares[s]);
      look(nodes_[i][s], static_cast<int>(i) + 1);
    }
}

// It ends among the others: all that wait for a later end wait for one more.
void Forecast::started(const JobRecord& record) {
  if (!known_) return;
  const auto ends_before = [&](int index) {
    const JobRecord& other = state_.job(index);
    return other.end < record.end || (other.end == record.end && index < record.index);
  };
  const auto at = std::partition_point(order_.begin(), order_.end(), ends_before);
  const int place = static_cast<int>(at - order_.begin());
  order_.insert(at, record.index);
  keep_order();
  for (auto& [shape, ready] : shapes_) {
    ready.by_.clear();
    for (int& step : ready.step)
      if (step > place && step != Readiness::kNever) ++step;
    look_at(ready, record.allocation.nodes);
  }
}

}  // namespace trainyard::slurm
