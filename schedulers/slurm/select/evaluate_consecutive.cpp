// Without a topology: runs of consecutive nodes of equal weight.

#include "schedulers/slurm/select/evaluate.hpp"

#include <climits>

namespace trainyard::slurm {

namespace {

struct Run {
  int first = 0, last = 0;  // nodes
  int cpus = 0, nodes = 0, gpus = 0;
  int required = -1;  // the first required node in it
  int weight = 0;
};

class Consecutive {
public:
  Consecutive(const Evaluation& evaluation, const NodeSet& candidates)
      : e_(evaluation),
        candidates_(candidates),
        left_(evaluation.request, evaluation.counts, evaluation.site.node_count()),
        open_(candidates) {}

  Nodes choose() {
    if (e_.request.has_required()) {
      if (e_.request.required.count() > e_.counts.most) return {};
      e_.request.required.each([&](int node) { left_.take(node, offer(node)); });
      if (left_.done()) return left_.chosen;
      if (left_.full()) return {};
    }
    find_runs();
    while (!left_.full()) {
      const int best = best_run();
      if (best < 0) break;
      Run& run = runs_[static_cast<std::size_t>(best)];
      if (e_.request.contiguous && !sufficient(run)) break;
      take_from(run);
      if (left_.done()) return left_.chosen;
      run.nodes = 0;
    }
    if (left_.enough()) return left_.chosen;
    return {};
  }

private:
  const Offer& offer(int node) const { return e_.offers[static_cast<std::size_t>(node)]; }
  int weight(int node) const { return e_.site.nodes[static_cast<std::size_t>(node)].weight; }
  bool is_required(int node) const {
    return e_.request.has_required() && e_.request.required.has(node);
  }
  bool sufficient(const Run& run) const { return left_.sufficient(run.nodes, run.cpus, run.gpus); }

  // Required nodes hold a run together but add nothing to it: they are taken already.
  void find_runs() {
    Run run;
    bool weighed = false;
    const auto close = [&](int last) {
      if (run.nodes > 0) run.last = last, runs_.push_back(run);
      run = Run(), weighed = false;
    };
    int previous = -2;
    candidates_.each([&](int node) {
      if (node != previous + 1) close(previous);
      const bool changes = weighed && !e_.request.contiguous && weight(node) != run.weight;
      if (changes) close(previous);
      previous = node;
      if (run.nodes == 0 && run.required < 0) run.first = node;
      if (is_required(node)) {
        if (run.required < 0) run.required = node;
        return;
      }
      if (run.nodes == 0) run.first = run.required >= 0 ? run.first : node;
      run.cpus += offer(node).cpus, run.gpus += offer(node).gpus, ++run.nodes;
      run.weight = weight(node), weighed = true;
    });
    close(previous);
  }

  int best_run() const {
    int best = -1;
    bool best_suffices = false;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Run& run = runs_[i];
      if (run.nodes == 0) continue;
      if (e_.request.contiguous && e_.request.has_required() && run.required < 0) continue;
      const bool suffices = sufficient(run);
      if (best >= 0 && !better(run, suffices, runs_[static_cast<std::size_t>(best)], best_suffices))
        continue;
      best = static_cast<int>(i);
      best_suffices = suffices;
    }
    return best;
  }

  bool better(const Run& run, bool suffices, const Run& best, bool best_suffices) const {
    if (best.required < 0 && run.required >= 0) return true;
    if (run.weight < best.weight) return true;
    if (run.weight == best.weight) {
      if (suffices && (!best_suffices || run.cpus < best.cpus)) return true;
      if (!suffices && run.cpus > best.cpus) return true;
    }
    return e_.request.contiguous && suffices && !best_suffices;
  }

  // Whether the node was of use; a node that could be the last must hold all that is missing.
  void consider(int node, bool last_must_hold) {
    if (!open_.has(node) || left_.chosen.has(node)) return;
    if (last_must_hold && left_.most_left() == 1 && offer(node).cpus < left_.cpus_left()) return;
    left_.take(node, offer(node));
  }

  bool stop() const { return left_.full() || left_.done(); }

  void take_from(const Run& run) {
    if (run.required >= 0) {
      for (int node = run.required; node <= run.last && !stop(); ++node) consider(node, false);
      for (int node = run.required - 1; node >= run.first && !stop(); --node) consider(node, false);
      return;
    }
    if (left_.nodes_left() <= 1) keep_best_single(run);
    for (int node = run.first; node <= run.last && !stop(); ++node) consider(node, true);
  }

  // One node is enough: the one with the fewest CPUs that suffice; the others are closed.
  void keep_best_single(const Run& run) {
    int best = -1, best_cpus = INT_MAX;
    for (int node = run.first; node <= run.last; ++node) {
      if (!open_.has(node) || left_.chosen.has(node)) continue;
      const Offer& each = offer(node);
      if (each.cpus < left_.cpus_left()) continue;
      if (!left_.gpus_done() && each.gpus < left_.gpus_left()) continue;
      if (each.cpus < best_cpus) best = node, best_cpus = each.cpus;
    }
    if (best < 0) return;
    for (int node = run.first; node <= run.last; ++node)
      if (node != best) open_.remove(node);
  }

  const Evaluation& e_;
  const NodeSet& candidates_;
  Filling left_;
  NodeSet open_;  // candidates that may still be taken
  std::vector<Run> runs_;
};

}  // namespace

Nodes evaluate_consecutive(const Evaluation& evaluation, const NodeSet& candidates) {
  return Consecutive(evaluation, candidates).choose();
}

}  // namespace trainyard::slurm
