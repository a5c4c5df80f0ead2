// The least loaded node first, or simply as many nodes as allowed; both weight by weight.

#include "schedulers/slurm/select/evaluate.hpp"

#include <set>

namespace trainyard::slurm {

namespace {

class ByWeight {
public:
  ByWeight(const Evaluation& evaluation, const NodeSet& candidates)
      : e_(evaluation),
        left_(evaluation.request, counts_of(evaluation), evaluation.site.node_count()),
        open_(candidates) {}

  template <class Next>
  Nodes choose(Next next) {
    if (e_.request.has_required()) {
      if (e_.request.required.count() > e_.counts.most) return {};
      e_.request.required.each([&](int node) { take(node); });
      if (left_.done()) return left_.chosen;
    }
    for (const int weight : weights())
      while (!left_.full()) {
        const int node = next(*this, weight);
        if (node < 0) break;
        take(node);
        if (left_.done()) return left_.chosen;
      }
    if (left_.enough_at_least()) return left_.chosen;
    return {};
  }

  const NodeSet& open() const { return open_; }
  bool weighs(int node, int weight) const {
    return e_.site.nodes[static_cast<std::size_t>(node)].weight == weight;
  }
  // Whether `a` has the greater part of its CPUs free.
  bool freer(int a, int b) const { return share(a, b) > share(b, a); }

private:
  static NodeCounts counts_of(const Evaluation& e) {
    NodeCounts counts = e.counts;
    if (e.request.tasks > 0) counts.most = std::min(counts.most, e.request.tasks);
    return counts;
  }
  long share(int node, int other) const {
    return static_cast<long>(e_.offers[static_cast<std::size_t>(node)].free_cpus) *
           e_.site.nodes[static_cast<std::size_t>(other)].cpus();
  }
  std::set<int> weights() const {
    std::set<int> found;
    open_.each(
        [&](int node) { found.insert(e_.site.nodes[static_cast<std::size_t>(node)].weight); });
    return found;
  }
  void take(int node) {
    left_.take(node, e_.offers[static_cast<std::size_t>(node)]);
    open_.remove(node);
  }

  const Evaluation& e_;
  Filling left_;
  NodeSet open_;
};

}  // namespace

Nodes evaluate_least_loaded(const Evaluation& evaluation, const NodeSet& candidates) {
  return ByWeight(evaluation, candidates).choose([](const ByWeight& state, int weight) {
    int best = -1;
    state.open().each([&](int node) {
      if (state.weighs(node, weight) && (best < 0 || state.freer(node, best))) best = node;
    });
    return best;
  });
}

Nodes evaluate_spread(const Evaluation& evaluation, const NodeSet& candidates) {
  return ByWeight(evaluation, candidates).choose([](const ByWeight& state, int weight) {
    int first = -1;
    state.open().each([&](int node) {
      if (first < 0 && state.weighs(node, weight)) first = node;
    });
    return first;
  });
}

}  // namespace trainyard::slurm
