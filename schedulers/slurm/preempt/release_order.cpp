#include "schedulers/slurm/preempt/release_order.hpp"

#include "schedulers/slurm/preempt/preemption.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

class ReleaseOrder {
public:
  ReleaseOrder(SlurmState& state, JobTest& test, const NodeSet& usable, std::vector<int>& order)
      : state_(state), test_(test), usable_(usable), order_(order) {}

  // How many of the order were released before the job fitted; -1 if it never does.
  int release() {
    use_ = state_.use;
    left_ = state_.running;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const JobRecord& victim = state_.job(order_[i]);
      if (!can_be_removed(victim) || !victim.allocation.nodes.intersects(usable_)) continue;
      use_.remove(victim.allocation);
      left_.erase(std::find(left_.begin(), left_.end(), victim.index));
      nodes = test_.fits(usable_, {use_, left_});
      if (nodes) return static_cast<int>(i) + 1;
    }
    return -1;
  }

  bool can_be_removed(const JobRecord& victim) const {
    const PreemptMode mode = preempt_mode_of(state_, victim);
    return mode == PreemptMode::Requeue || mode == PreemptMode::Cancel;
  }

  // The last one released was decisive: it goes first. The others by what they have in common with
  // the chosen nodes, unless the order is strict.
  void improve(int released) {
    const auto last = static_cast<std::size_t>(released) - 1;
    const int decisive = order_[last];
    order_.erase(order_.begin() + released - 1);
    if (!state_.site.parameters.scheduler.preempt_strict_order) {
      const auto overlap = [&](int index) {
        return state_.job(index).allocation.nodes.count_common(*nodes);
      };
      std::vector<int> counts;
      for (std::size_t i = 0; i < order_.size(); ++i)
        counts.push_back(i < last ? overlap(order_[i]) : 0);
      sort_by_counts(counts);
    }
    order_.insert(order_.begin(), decisive);
  }

  Nodes nodes;

private:
  void sort_by_counts(const std::vector<int>& counts) {
    std::vector<std::size_t> by(order_.size());
    for (std::size_t i = 0; i < by.size(); ++i) by[i] = i;
    std::stable_sort(by.begin(), by.end(),
                     [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    std::vector<int> sorted;
    for (const std::size_t i : by) sorted.push_back(order_[i]);
    order_ = std::move(sorted);
  }

  SlurmState& state_;
  JobTest& test_;
  const NodeSet& usable_;
  std::vector<int>& order_;
  ClusterUse use_;
  std::vector<int> left_;
};

// A QOS that preempts by suspending gets a row of cores of its own.
Nodes fits_in_extra_row(SlurmState& state, JobTest& test, const NodeSet& usable) {
  return test.fits(usable, {state.use, state.running, /*extra_row=*/true});
}

}  // namespace

std::optional<WithPreemption> fits_with_preemption(SlurmState& state, JobTest& test,
                                                   const NodeSet& usable, std::vector<int> order) {
  if (state.site.parameters.preempt == PreemptType::Qos &&
      preempt_mode_of(state, state.job(order.front())) == PreemptMode::Suspend) {
    Nodes nodes = fits_in_extra_row(state, test, usable);
    if (!nodes) return {};
    return WithPreemption{std::move(*nodes), {}};
  }
  ReleaseOrder release(state, test, usable, order);
  const int most = state.site.parameters.scheduler.preempt_reorder_count;
  int released = 0;
  for (int pass = 0;; ++pass) {
    released = release.release();
    if (released < 0) return {};
    if (pass > most || static_cast<int>(order.size()) <= pass + 1) break;
    release.improve(released);
  }
  WithPreemption result{*release.nodes, {}};
  for (int i = 0; i < released; ++i) {
    const JobRecord& victim = state.job(order[static_cast<std::size_t>(i)]);
    if (release.can_be_removed(victim) && victim.allocation.nodes.intersects(result.nodes))
      result.victims.push_back(victim.index);
  }
  return result;
}

}  // namespace trainyard::slurm
