// topology/tree: the nodes of the lowest weights below one switch, then leaf by leaf.

#include "schedulers/slurm/select/evaluate.hpp"
#include "schedulers/slurm/select/gather_weights.hpp"
#include "schedulers/slurm/select/tree/leaf_order.hpp"

#include <climits>
#include <utility>

namespace trainyard::slurm {

namespace {

class Tree {
public:
  Tree(const Evaluation& evaluation, const SwitchTree& tree, const NodeSet& candidates)
      : e_(evaluation),
        switches_(evaluation.site.switches),
        tree_(tree),
        left_(evaluation.request, evaluation.counts, evaluation.site.node_count()),
        usable_(candidates) {}

  Nodes choose() {
    if (e_.request.has_required()) {
      if (e_.request.required.count() > e_.counts.most) return {};
      e_.request.required.each([&](int node) { take(node); });
    }
    const int top = top_switch();
    if (top < 0 || (e_.request.has_required() && !below(top).contains(left_.chosen))) return {};
    if (e_.request.has_required() && left_.done()) return left_.chosen;
    if (left_.full()) return {};
    usable_ &= below(top);
    if (!gather_weights()) return {};
    lighter_.each([&](int node) {
      if (!left_.full()) take(node);
    });
    if (lighter_.count() > 0 && left_.done()) return left_.chosen;
    if (left_.full()) return {};
    best_ |= left_.chosen;
    if (fill_leaves() || left_.enough_at_least()) return left_.chosen;
    return {};
  }

private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  const Offer& offer(int node) const { return e_.offers[at(node)]; }
  int weight(int node) const { return e_.site.nodes[at(node)].weight; }
  const NodeSet& below(int index) const { return switches_[at(index)].nodes; }
  void take(int node) { left_.take(node, offer(node)); }

  int top_switch() const {
    if (e_.request.has_required()) return highest_above_required();
    return e_.site.equal_weights ? highest() : highest_with_lightest();
  }

  int highest_above_required() const {
    int top = -1;
    for (int i = 0; i < static_cast<int>(switches_.size()); ++i) {
      const bool higher = top < 0 || switches_[at(i)].level > switches_[at(top)].level;
      if (higher && below(i).intersects(left_.chosen, tree_.span(i))) top = i;
    }
    return top;
  }

  // That could hold the job; the later one on a tie.
  int highest() const {
    for (const int i : tree_.by_level()) {
      const int count = below(i).count_common(usable_, tree_.span(i));
      if (count > 0 && left_.enough_nodes(count)) return i;
    }
    return -1;
  }

  // The highest that could hold the job, of those with the lightest node.
  int highest_with_lightest() const {
    int top = -1, top_weight = INT_MAX;
    for (int i = 0; i < static_cast<int>(switches_.size()); ++i) {
      if (top >= 0 && switches_[at(i)].level < switches_[at(top)].level) continue;
      const int count = below(i).count_common(usable_, tree_.span(i));
      if (count == 0 || !left_.enough_nodes(count)) continue;
      int lowest = INT_MAX;
      below(i).each_common(usable_, tree_.span(i),
                           [&](int node) { lowest = std::min(lowest, weight(node)); });
      if (top < 0 || lowest <= top_weight) top = i, top_weight = lowest;
    }
    return top;
  }

  // Nodes by weight until they suffice. All lighter ones are taken whole, like required nodes; of
  // the last weight only what is needed.
  bool gather_weights() {
    lighter_ = NodeSet(usable_.size());
    if (e_.site.equal_weights) return gather_all();
    Gathered gathered = slurm::gather_weights(e_, left_, usable_);
    best_ = std::move(gathered.nodes), lighter_ = std::move(gathered.lighter);
    return gathered.suffice;
  }

  bool gather_all() {
    best_ = usable_;
    best_ -= left_.chosen;
    const int nodes = best_.count();
    int cpus = 0, gpus = 0;
    bool suffices = left_.sufficient(nodes, 0, 0);
    for (int node = best_.first(); node >= 0 && !suffices; node = best_.from(node + 1)) {
      cpus += offer(node).cpus, gpus += offer(node).gpus;
      suffices = left_.sufficient(nodes, cpus, gpus);
    }
    return suffices;
  }

  // Takes the leaf's nodes in order; whether the job is satisfied.
  bool fill(int leaf) {
    bool done = false;
    below(leaf).each_common(best_, tree_.span(leaf), [&](int node) {
      if (done || left_.full() || left_.chosen.has(node)) return;
      take(node);
      done = left_.done();
    });
    return done;
  }

  // Leaves already touched, then again and again the best of the others.
  bool fill_leaves() {
    LeafOrder order(switches_, tree_, best_);
    if (!left_.chosen.empty()) {
      order.touch(left_.chosen);
      for (const int leaf : order.touched())
        if (fill(leaf)) return true;
    }
    for (int before = left_.nodes_left() + 1; before != left_.nodes_left();) {
      before = left_.nodes_left();
      const int best = order.take_best(left_.nodes_left());
      if (best < 0) return false;
      if (fill(best)) return true;
    }
    return false;
  }

  const Evaluation& e_;
  const std::vector<SlurmSwitchRecord>& switches_;
  const SwitchTree& tree_;
  Filling left_;
  NodeSet usable_, best_, lighter_;
};

}  // namespace

Nodes evaluate_tree(const Evaluation& evaluation, const NodeSet& candidates) {
  const SlurmSite& site = evaluation.site;
  if (site.tree.is_of(site.switches)) return Tree(evaluation, site.tree, candidates).choose();
  const SwitchTree tree(site.switches);
  return Tree(evaluation, tree, candidates).choose();
}

}  // namespace trainyard::slurm
