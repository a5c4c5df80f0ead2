// Conservative backfill (Mu'alem and Feitelson 2001): every waiting job is promised the earliest
// time that leaves the promises of those ahead of it whole; those promised "now" start.
//
// The promises are made anew, in queue order, at every decision: nobody is delayed by a job behind
// it in the queue. A promise may move later only because a job ended before its limit and one
// further ahead took the hole. A job that cannot be foreseen to fit (nodes are down) has no
// promise.
//
// A job that starts now goes where the placement puts it, which may break up nodes on which those
// ahead are promised blocks. It starts only if their promises still hold with it in that place;
// else it waits, without a promise, for the next decision.
#include "schedulers/outlook.hpp"
#include "schedulers/plan.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {

class Promises {
public:
  Promises(const ClusterView& view, Plan& plan)
      : view_(view), plan_(plan), detail_(detail_for(view)), outlook_(outlook_with({})) {}

  void consider(const Job& job) {
    const Seconds start = outlook_.earliest(job);
    if (start == forever()) return;
    if (start > view_.now) {
      promised_.emplace_back(&job, start);
      outlook_.promise(job, start);
      return;
    }
    Allocation allocation = plan_.place(job);
    if (allocation.gpus.empty() || !leaves_promises(job, allocation)) return;
    plan_.start(job, std::move(allocation));
  }

private:
  static Outlook::Detail detail_for(const ClusterView& view) {
    const bool blocks = std::any_of(view.pending.begin(), view.pending.end(),
                                    [](const Job* job) { return job->gpus_per_block > 1; });
    return blocks ? Outlook::Detail::PerNode : Outlook::Detail::Total;
  }

  Outlook outlook_with(const std::vector<RunningJob>& more) const {
    std::vector<RunningJob> started = plan_.started();
    started.insert(started.end(), more.begin(), more.end());
    std::vector<int> free = plan_.free_per_node();
    for (const RunningJob& running : more)
      for (const GpuId gpu : running.allocation->gpus)
        --free[view_.platform->gpus[gpu.index()].node.index()];
    return {view_, started, free, detail_};
  }

  // If so, the outlook holds the job from then on.
  bool leaves_promises(const Job& job, const Allocation& allocation) {
    if (detail_ == Outlook::Detail::Total) return outlook_.promise(job, view_.now);
    Outlook with = outlook_with({{&job, &allocation, view_.now}});
    for (const auto& [other, start] : promised_)
      if (!with.promise(*other, start)) return false;
    outlook_ = std::move(with);
    return true;
  }

  const ClusterView& view_;
  Plan& plan_;
  const Outlook::Detail detail_;
  Outlook outlook_;
  std::vector<std::pair<const Job*, Seconds>> promised_;  // in queue order
};

class Conservative final : public SchedulingPolicy {
public:
  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    Plan plan(view, placement);
    auto job = view.pending.begin();
    while (job != view.pending.end() && plan.start_if_fits(**job)) ++job;
    // From the first that waits, nobody needs a promise behind whom none could start.
    const auto last = std::find_if(view.pending.rbegin(), std::make_reverse_iterator(job),
                                   [&](const Job* other) { return plan.fits(*other); });
    if (last == std::make_reverse_iterator(job)) return plan.take_decisions();
    Promises promises(view, plan);
    for (; job != last.base() && plan.free_gpus() > 0; ++job) promises.consider(**job);
    return plan.take_decisions();
  }
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_conservative(const PolicyOptions& /*options*/) {
  return std::make_unique<Conservative>();
}

}  // namespace trainyard
