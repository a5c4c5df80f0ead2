// topology/tree: the nodes of the lowest weights below one switch, then leaf by leaf.

#include "schedulers/slurm/select/evaluate.hpp"

#include <climits>
#include <cstdint>
#include <map>

namespace trainyard::slurm {

namespace {

constexpr int kFar = INT_MAX / 4;

class Tree {
public:
  Tree(const Evaluation& evaluation, const NodeSet& candidates)
      : e_(evaluation),
        switches_(evaluation.site.switches),
        left_(evaluation.request, evaluation.counts, evaluation.site.node_count()),
        usable_(candidates) {}

  Nodes choose() {
    if (e_.request.has_required()) {
      if (e_.request.required.count() > e_.counts.most) return {};
      e_.request.required.each([&](int node) { take(node); });
    }
    const int top = top_switch();
    if (top < 0 || (e_.request.has_required() && !switches_[at(top)].nodes.contains(left_.chosen)))
      return {};
    if (e_.request.has_required() && left_.done()) return left_.chosen;
    if (left_.full()) return {};
    usable_ &= switches_[at(top)].nodes;
    if (!gather_weights()) return {};
    lighter_.each([&](int node) {
      if (!left_.full()) take(node);
    });
    if (lighter_.count() > 0 && left_.done()) return left_.chosen;
    if (left_.full()) return {};
    below_switches();
    if (fill_touched_leaves() || fill_nearest_leaves() || left_.enough_at_least())
      return left_.chosen;
    return {};
  }

private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  const Offer& offer(int node) const { return e_.offers[at(node)]; }
  int weight(int node) const { return e_.site.nodes[at(node)].weight; }
  void take(int node) { left_.take(node, offer(node)); }

  // Of the switch's usable nodes.
  int lowest_weight(const NodeSet& below) const {
    if (e_.site.equal_weights) return 0;
    NodeSet nodes = below;
    nodes &= usable_;
    int lowest = INT_MAX;
    nodes.each([&](int node) { lowest = std::min(lowest, weight(node)); });
    return lowest;
  }

  // The highest switch that could hold the job, of those with the lightest node; the later one on a
  // tie. With required nodes: the highest above one of them.
  int top_switch() const {
    int top = -1, top_weight = INT_MAX;
    for (int i = 0; i < static_cast<int>(switches_.size()); ++i) {
      const NodeSet& nodes = switches_[at(i)].nodes;
      if (e_.request.has_required()) {
        const bool higher = top < 0 || switches_[at(i)].level > switches_[at(top)].level;
        if (higher && left_.chosen.count_common(nodes) > 0) top = i;
        continue;
      }
      const int count = nodes.count_common(usable_);
      if (count == 0 || !left_.enough_nodes(count)) continue;
      if (top >= 0 && switches_[at(i)].level < switches_[at(top)].level) continue;
      const int lowest = lowest_weight(nodes);
      if (top < 0 || lowest <= top_weight) top = i, top_weight = lowest;
    }
    return top;
  }

  // Nodes by weight until they suffice. All lighter ones are taken whole, like required nodes; of
  // the last weight only what is needed.
  bool gather_weights() {
    if (e_.site.equal_weights) return gather_all();
    std::map<int, NodeSet> by_weight;
    usable_.each([&](int node) {
      if (left_.chosen.has(node)) return;
      by_weight.try_emplace(weight(node), usable_.size()).first->second.add(node);
    });
    best_ = lighter_ = NodeSet(usable_.size());
    int cpus = 0, gpus = 0;
    for (const auto& [weight, nodes] : by_weight) {
      lighter_ |= best_;
      best_ |= nodes;
      nodes.each([&](int node) { cpus += offer(node).cpus, gpus += offer(node).gpus; });
      if (left_.sufficient(best_.count(), cpus, gpus)) return true;
    }
    return false;
  }

  bool gather_all() {
    lighter_ = NodeSet(usable_.size());
    best_ = usable_;
    best_ -= left_.chosen;
    int cpus = 0, gpus = 0;
    best_.each([&](int node) { cpus += offer(node).cpus, gpus += offer(node).gpus; });
    return left_.sufficient(best_.count(), cpus, gpus);
  }

  void below_switches() {
    best_ |= left_.chosen;
    for (const SlurmSwitchRecord& each : switches_) {
      NodeSet nodes = each.nodes;
      nodes &= best_;
      counts_.push_back(nodes.count());
      touched_.push_back(nodes.intersects(left_.chosen) ? 1 : 0);
      nodes_.push_back(std::move(nodes));
    }
  }

  // Takes the switch's nodes in order; whether the job is satisfied.
  bool fill(int index) {
    bool done = false;
    nodes_[at(index)].each([&](int node) {
      if (done || left_.full() || left_.chosen.has(node)) return;
      take(node);
      done = left_.done();
    });
    return done;
  }

  bool fill_touched_leaves() {
    for (int i = 0; i < static_cast<int>(switches_.size()); ++i)
      if (touched_[at(i)] && switches_[at(i)].level == 0 && fill(i)) return true;
    return false;
  }

  bool fill_nearest_leaves() {
    distance_.assign(switches_.size(), 0);
    for (int i = 0; i < static_cast<int>(switches_.size()); ++i)
      if (touched_[at(i)]) add_distance(i);
    for (int before = left_.nodes_left() + 1; before != left_.nodes_left();) {
      before = left_.nodes_left();
      const int best = best_leaf();
      if (best < 0) return false;
      add_distance(best);
      if (fill(best)) return true;
      counts_[at(best)] = 0;
    }
    return false;
  }

  int best_leaf() const {
    int best = -1;
    for (int i = 0; i < static_cast<int>(switches_.size()); ++i) {
      if (touched_[at(i)] || switches_[at(i)].level != 0) continue;
      if (counts_[at(i)] == 0 || distance_[at(i)] >= kFar) continue;
      if (best < 0) {
        best = i;
        continue;
      }
      const int order = compare(i, best);
      const int near = distance_[at(i)], best_near = distance_[at(best)];
      if ((near < best_near && order >= 0) || (near == best_near && order > 0)) best = i;
    }
    return best;
  }

  // Above 0 if `i` is to be preferred to `j` for what is still wanted.
  int compare(int i, int j) const {
    while (true) {
      const bool i_fits = counts_[at(i)] >= left_.nodes_left();
      const bool j_fits = counts_[at(j)] >= left_.nodes_left();
      if (i_fits && j_fits && counts_[at(i)] != counts_[at(j)])
        return counts_[at(i)] < counts_[at(j)] ? 1 : -1;
      if (i_fits != j_fits) return i_fits ? 1 : -1;
      const int i_parent = switches_[at(i)].parent, j_parent = switches_[at(j)].parent;
      const bool roots = i_parent == i && j_parent == j;
      if ((i_fits && j_fits) || roots || i_parent == j_parent) break;
      i = i_parent, j = j_parent;
    }
    if (counts_[at(i)] != counts_[at(j)]) return counts_[at(i)] > counts_[at(j)] ? 1 : -1;
    return switches_[at(j)].level - switches_[at(i)].level;
  }

  // The number of links between two switches.
  int links(int i, int j) const {
    int up = 0;
    while (i != j) {
      const bool i_lower = switches_[at(i)].level <= switches_[at(j)].level;
      int& lower = i_lower ? i : j;
      const int parent = switches_[at(lower)].parent;
      if (parent == lower) {
        int& other = i_lower ? j : i;
        const int other_parent = switches_[at(other)].parent;
        if (other_parent == other) return kFar;
        other = other_parent;
      } else {
        lower = parent;
      }
      ++up;
    }
    return up;
  }

  void add_distance(int from) {
    for (int i = 0; i < static_cast<int>(switches_.size()); ++i)
      distance_[at(i)] = std::min(kFar, distance_[at(i)] + links(from, i));
  }

  const Evaluation& e_;
  const std::vector<SlurmSwitchRecord>& switches_;
  Filling left_;
  NodeSet usable_, best_, lighter_;
  std::vector<NodeSet> nodes_;  // below each switch, of `best_`
  std::vector<int> counts_, distance_;
  std::vector<char> touched_;
};

}  // namespace

Nodes evaluate_tree(const Evaluation& evaluation, const NodeSet& candidates) {
  return Tree(evaluation, candidates).choose();
}

}  // namespace trainyard::slurm
