#include "schedulers/slurm/passes/will_run_fast.hpp"

#include "schedulers/slurm/select/choose_nodes.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

class Answering {
public:
  Answering(const SlurmState& state, const JobRecord& record, const NodeSet& candidates,
            const Readiness& ready, const std::vector<int>& order)
      : state_(state),
        partition_(state.partition(record.partition)),
        request_(record.job->request),
        candidates_(candidates),
        ready_(ready),
        order_(order),
        counts_(node_counts(partition_, request_)) {}

  FastAnswer run(Horizon horizon, WillRun& found) {
    NodeSet now = candidates_;
    now &= ready_.now;
    if (now.count() >= counts_.least) {
      Nodes nodes = choose(now);
      if (!nodes) return FastAnswer::Unknown;
      found = {state_.now, std::move(*nodes)};
      return FastAnswer::Found;
    }
    if (horizon == Horizon::NowOnly) return FastAnswer::Never;
    const std::size_t needed = first_step_with_enough();
    if (needed > order_.size()) return FastAnswer::Never;
    return at_a_batch_end(needed, found);
  }

private:
  Nodes choose(const NodeSet& nodes) const {
    if (request_.has_required() && !nodes.contains(request_.required)) return {};
    return evaluate({state_.site, partition_, request_, ready_.offers, counts_}, nodes);
  }

  // After so many ends there are nodes enough; beyond the order's size if never.
  std::size_t first_step_with_enough() const {
    std::vector<int> per_step(order_.size() + 1);
    candidates_.each([&](int node) {
      const int step = ready_.step[static_cast<std::size_t>(node)];
      if (step != Readiness::kNever) ++per_step[static_cast<std::size_t>(step)];
    });
    int nodes = 0;
    for (std::size_t step = 0; step < per_step.size(); ++step)
      if ((nodes += per_step[step]) >= counts_.least) return step;
    return order_.size() + 1;
  }

  Time end_of(std::size_t i) const { return state_.job(order_[i]).end; }

  // As Slurm: jobs are removed in batches that grow, and only then is there a test.
  FastAnswer at_a_batch_end(std::size_t needed, WillRun& found) const {
    constexpr int kMostInABatch = 200;
    Time window = 30, anchor = 0;
    for (std::size_t next = 0; next < order_.size();) {
      int last = -1;
      bool cut = false;
      for (int removed = 0; next < order_.size() && !cut;) {
        const JobRecord& ending = state_.job(order_[next++]);
        if (!ending.allocation.nodes.intersects(candidates_)) continue;
        if (anchor == 0) anchor = ending.end + window - ending.end % window;
        last = ending.index;
        if (next < order_.size() && end_of(next) > anchor + window) break;
        cut = next < order_.size() && removed++ > kMostInABatch;
      }
      if (last < 0) return FastAnswer::Never;
      if (cut) continue;
      const int linear = state_.site.parameters.scheduler.bf_window_linear;
      do window = linear > 0 ? window + linear : 2 * window;
      while (next < order_.size() && end_of(next) > anchor + window);
      if (next < needed) continue;
      Nodes nodes = choose(ready_by(static_cast<int>(next)));
      if (!nodes || state_.job(last).end <= state_.now) return FastAnswer::Unknown;
      found = {state_.job(last).end, std::move(*nodes)};
      return FastAnswer::Found;
    }
    return FastAnswer::Never;
  }

  NodeSet ready_by(int step) const {
    NodeSet nodes = candidates_;
    candidates_.each([&](int node) {
      if (ready_.step[static_cast<std::size_t>(node)] > step) nodes.remove(node);
    });
    return nodes;
  }

  const SlurmState& state_;
  const SlurmPartition& partition_;
  const Request& request_;
  const NodeSet& candidates_;
  const Readiness& ready_;
  const std::vector<int>& order_;
  NodeCounts counts_;
};

}  // namespace

FastWillRun will_run_fast(const SlurmState& state, const JobRecord& record,
                          const WillRunQuestion& question, Forecast& forecast) {
  FastWillRun result;
  const Readiness* ready = forecast.readiness(record);
  if (!ready) return result;
  Answering answering(state, record, question.candidates, *ready, forecast.order());
  result.answer = answering.run(question.horizon, result.found);
  return result;
}

}  // namespace trainyard::slurm
