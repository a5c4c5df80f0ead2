#include "schedulers/slurm/passes/backfill/will_run_fast.hpp"

#include "schedulers/slurm/select/choose_nodes.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

class Answering {
public:
  Answering(const SlurmState& state, const JobRecord& record, const WillRunQuestion& question,
            Readiness& ready, Forecast& forecast)
      : state_(state),
        partition_(state.partition(record.partition)),
        request_(record.job->request),
        question_(question),
        candidates_(question.candidates),
        ready_(ready),
        order_(forecast.order()),
        nodes_(forecast.nodes()),
        counts_(node_counts(partition_, request_)),
        ready_count_(candidates_.count_common(ready.now)) {}

  FastWillRun run() {
    if (ready_count_ >= counts_.least) return chosen(ready_.now, state_.now);
    if (question_.horizon == Horizon::NowOnly) return {FastAnswer::Never, {}};
    if (candidates_.count_common(ready_.ever) < counts_.least) return {FastAnswer::Never, {}};
    return at_a_batch_end();
  }

private:
  FastWillRun chosen(const NodeSet& ready, Time start) const {
    NodeSet nodes = candidates_;
    nodes &= ready;
    if (request_.has_required() && !nodes.contains(request_.required)) return {};
    Nodes found = evaluate({state_.site, partition_, request_, ready_.offers, counts_}, nodes);
    if (!found) return {};
    return {FastAnswer::Found, {start, std::move(*found)}};
  }

  Time end_of(std::size_t i) const { return state_.job(order_[i]).end; }

  // Whether the job has any of the candidates; counts those that are ready when it ends.
  bool ends_on_candidates(std::size_t i) {
    const int step = static_cast<int>(i) + 1;
    bool any = false;
    for (const int node : nodes_[i]) {
      if (!candidates_.has(node)) continue;
      any = true;
      ready_count_ += ready_.step[static_cast<std::size_t>(node)] == step ? 1 : 0;
    }
    return any;
  }

  // As Slurm: jobs are removed in batches that grow, and only then is there a test.
  FastWillRun at_a_batch_end() {
    while (next_ < order_.size()) {
      const Batch batch = remove_batch();
      if (batch.last < 0) break;
      if (!batch.tested) continue;
      const int linear = state_.site.parameters.scheduler.bf_window_linear;
      do window_ = linear > 0 ? window_ + linear : 2 * window_;
      while (next_ < order_.size() && end_of(next_) > anchor_ + window_);
      if (ready_count_ < counts_.least) continue;
      const Time start = state_.job(batch.last).end;
      if (start <= state_.now) return {};
      if (state_.site.parameters.version >= SlurmVersion{25, 11}) return {};  // it may be sooner
      if (question_.latest > 0 && start > question_.latest) return {FastAnswer::TooLate, {}};
      return chosen(ready_.by(next_), start);
    }
    return {FastAnswer::Never, {}};
  }

  struct Batch {
    int last = -1;
    bool tested = true;
  };

  Batch remove_batch() {
    constexpr int kMostInABatch = 200;
    Batch batch;
    for (int removed = 0; next_ < order_.size();) {
      const std::size_t ending = next_++;
      if (!ends_on_candidates(ending)) continue;
      if (anchor_ == 0) anchor_ = end_of(ending) + window_ - end_of(ending) % window_;
      batch.last = order_[ending];
      if (next_ < order_.size() && end_of(next_) > anchor_ + window_) break;
      if (next_ < order_.size() && removed++ > kMostInABatch) return {batch.last, false};
    }
    return batch;
  }

  const SlurmState& state_;
  const SlurmPartition& partition_;
  const Request& request_;
  const WillRunQuestion& question_;
  const NodeSet& candidates_;
  Readiness& ready_;
  const std::vector<int>& order_;
  const std::vector<std::vector<int>>& nodes_;
  NodeCounts counts_;
  int ready_count_;  // of the candidates, after so many ends
  std::size_t next_ = 0;
  Time window_ = 30, anchor_ = 0;
};

}  // namespace

FastWillRun will_run_fast(const SlurmState& state, const JobRecord& record,
                          const WillRunQuestion& question, Forecast& forecast) {
  Readiness* ready = forecast.readiness(record);
  if (!ready) return {};
  return Answering(state, record, question, *ready, forecast).run();
}

}  // namespace trainyard::slurm
