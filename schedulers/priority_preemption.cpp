// Strict priority, and room is made: start jobs in queue order; for one that does not fit, preempt
// running jobs of strictly lower priority; stop at the first that cannot be served even so.
//
// Nobody overtakes a blocked job. GPUs that earlier victims are still releasing are counted first,
// so waiting for a checkpoint never costs another job its GPUs. When preemption is not immediate,
// the victims' GPUs are only promised: the Start follows at a decision after they are back. Jobs
// behind it may already preempt for themselves, so that their victims' checkpoints overlap.
#include "schedulers/plan.hpp"
#include "schedulers/preemption.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>

namespace trainyard {

namespace {

void mark_releasing(const RunningJob& victim, std::vector<RunningJob>& running) {
  const auto same = [&](const RunningJob& other) { return other.job == victim.job; };
  std::find_if(running.begin(), running.end(), same)->releasing = true;
}

bool start_with_victims(const Job& job, const ClusterView& view, std::vector<RunningJob>& running,
                        Plan& plan) {
  const Capacity capacity(view, plan.free_per_node(), job.gpus_per_block);
  for (const RunningJob& victim : choose_victims(job, running, capacity)) {
    plan.preempt(victim, job.id);
    mark_releasing(victim, running);
  }
  return plan.start_if_fits(job);
}

class PriorityPreemption final : public SchedulingPolicy {
public:
  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    Plan plan(view, placement);
    auto job = view.pending.begin();
    while (job != view.pending.end() && plan.start_if_fits(**job)) ++job;
    if (job == view.pending.end()) return plan.take_decisions();

    for (const RunningJob& other : view.running)
      if (other.releasing) plan.await(other);
    std::vector<RunningJob> running = view.running;
    for (; job != view.pending.end(); ++job)
      if (!plan.start_if_fits(**job) && !start_with_victims(**job, view, running, plan)) break;
    return plan.take_decisions();
  }
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_priority_preemption(const PolicyOptions& /*options*/) {
  return std::make_unique<PriorityPreemption>();
}

}  // namespace trainyard
