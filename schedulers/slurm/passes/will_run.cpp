#include "schedulers/slurm/passes/will_run.hpp"

#include "schedulers/slurm/preempt/preemption.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

// A job past its limit ends after KillWait, and after OverTimeLimit where there is one.
Time guess_end(const SlurmState& state, const JobRecord& record) {
  const SlurmParameters& parameters = state.site.parameters;
  const int over =
      state.partition(record.partition).over_time_limit.value_or(parameters.over_time_limit);
  Time end = record.end + parameters.kill_wait;
  if (over == kNoLimit)
    end = state.now +
          60 * static_cast<Time>(record.time_limit == kNoLimit ? 365 * 24 * 60 : record.time_limit);
  else
    end += 60 * static_cast<Time>(over);
  return std::max(end, state.now + 1);
}

class Future {
public:
  Future(SlurmState& state, JobRecord& record, const Request& request, const NodeSet& candidates)
      : state_(state),
        test_(state, record, request),
        candidates_(candidates),
        use_(state.use),
        left_(state.running),
        victims_(preemption_candidates(state, record)) {}

  bool has_victims() const { return !victims_.empty(); }

  Nodes now() { return test_.fits(candidates_, {state_.use, state_.running}); }

  // With all gone that could be preempted.
  Nodes after_preemption() {
    for (const int index : victims_) {
      const JobRecord& victim = state_.job(index);
      const PreemptMode mode = preempt_mode_of(state_, victim);
      if (mode == PreemptMode::Off) continue;
      if (mode == PreemptMode::Suspend) {
        use_.remove_cores(victim.allocation);
        extra_row_ |= state_.site.parameters.preempt == PreemptType::Qos;
      } else {
        use_.remove(victim.allocation);
      }
      forget(index);
    }
    return test();
  }

  // Jobs end in the order of their limits; Slurm tests after batches that grow.
  std::optional<WillRun> after_ends() {
    for (const int index : running_by_end(state_))
      if (!is_victim(index)) order_.push_back(index);
    while (next_ < order_.size()) {
      const Batch batch = remove_batch();
      if (batch.last < 0) return {};
      if (!batch.tested) continue;
      widen();
      if (Nodes nodes = test()) {
        const JobRecord& ending = state_.job(decisive(batch.last, *nodes));
        const Time start = ending.end <= state_.now ? guess_end(state_, ending) : ending.end;
        return WillRun{start, std::move(*nodes)};
      }
    }
    return {};
  }

private:
  bool is_victim(int index) const {
    return std::find(victims_.begin(), victims_.end(), index) != victims_.end();
  }
  void forget(int index) {
    const auto found = std::lower_bound(left_.begin(), left_.end(), index);
    if (found != left_.end() && *found == index) left_.erase(found);
  }
  Nodes test() { return test_.fits(candidates_, {use_, left_, extra_row_}); }

  struct Batch {
    int last = -1;       // the last job removed, or -1
    bool tested = true;  // a batch that grows too large is cut without a test
  };

  // Removes jobs until the next one ends beyond the window. The next is whichever ends next, even
  // if it has none of the candidates: jobs like that are passed over only afterwards, and so a job
  // that ends beyond the window may still be removed.
  Batch remove_batch() {
    constexpr int kMostInABatch = 200;
    Batch batch;
    for (int removed = 0; next_ < order_.size();) {
      const JobRecord& ending = state_.job(order_[next_++]);
      if (!ending.allocation.nodes.intersects(candidates_)) continue;
      if (anchor_ == 0) anchor_ = ending.end + window_ - ending.end % window_;
      batch.last = ending.index;
      use_.remove(ending.allocation);
      forget(ending.index);
      if (next_ < order_.size() && state_.job(order_[next_]).end > anchor_ + window_) break;
      if (next_ < order_.size() && removed++ > kMostInABatch) return {batch.last, false};
    }
    return batch;
  }

  // Since 25.11 the job does not wait for ends on nodes that it does not take.
  int decisive(int last, const NodeSet& nodes) const {
    if (state_.site.parameters.version < SlurmVersion{25, 11}) return last;
    for (std::size_t i = next_; i-- > 0;)
      if (state_.job(order_[i]).allocation.nodes.intersects(nodes)) return order_[i];
    return last;
  }

  void widen() {
    const int linear = state_.site.parameters.scheduler.bf_window_linear;
    do window_ = linear > 0 ? window_ + linear : 2 * window_;
    while (next_ < order_.size() && state_.job(order_[next_]).end > anchor_ + window_);
  }

  SlurmState& state_;
  JobTest test_;
  const NodeSet& candidates_;
  ClusterUse use_;
  std::vector<int> left_, victims_, order_;
  std::size_t next_ = 0;
  Time window_ = 30, anchor_ = 0;
  bool extra_row_ = false;
};

struct Question {
  SlurmState& state;
  JobRecord& record;
  Horizon horizon;
};

std::optional<WillRun> at_once_or_later(const Question& q, const Request& request,
                                        const NodeSet& candidates) {
  if (candidates.count() < request.min_nodes) return {};
  Future future(q.state, q.record, request, candidates);
  if (Nodes nodes = future.now()) return WillRun{q.state.now, std::move(*nodes)};
  if (future.has_victims())
    if (Nodes nodes = future.after_preemption()) return WillRun{q.state.now, std::move(*nodes)};
  if (q.horizon == Horizon::NowOnly) return {};
  return future.after_ends();
}

// Each count of --constraint is asked for by itself, and the rest of the nodes; the last of them to
// be had is when the job starts.
std::optional<WillRun> counted(const Question& q, const NodeSet& candidates) {
  NodeSet left = candidates;
  WillRun all{q.state.now, NodeSet(candidates.size())};
  const auto add = [&](const Request& part, const NodeSet& nodes) {
    std::optional<WillRun> found = at_once_or_later(q, part, nodes);
    if (!found) return false;
    all.start = std::max(all.start, found->start);
    all.nodes |= found->nodes;
    left -= found->nodes;
    return true;
  };
  const Request& request = q.record.job->request;
  for (const CountedNodes& each : q.record.features->counts) {
    NodeSet of = each.of;
    of &= left;
    if (!add(counted_request(request, each.nodes), of)) return {};
  }
  const int rest = request.min_nodes - all.nodes.count();
  if (rest > 0 && !add(counted_request(request, rest), left)) return {};
  return all;
}

}  // namespace

std::vector<int> running_by_end(const SlurmState& state) {
  std::vector<int> order = state.running;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return state.job(a).end < state.job(b).end; });
  return order;
}

std::optional<WillRun> will_run(SlurmState& state, JobRecord& record, const NodeSet& candidates,
                                Horizon horizon) {
  const Question question{state, record, horizon};
  if (!record.features) return at_once_or_later(question, record.job->request, candidates);
  std::optional<WillRun> first;
  for (const NodeSet& choice : record.features->choices) {
    NodeSet nodes = candidates;
    nodes &= choice;
    std::optional<WillRun> found = record.features->counts.empty()
                                       ? at_once_or_later(question, record.job->request, nodes)
                                       : counted(question, nodes);
    if (found && (!first || found->start < first->start)) first = std::move(found);
  }
  return first;
}

}  // namespace trainyard::slurm
