// Gang scheduling with time slices (Ousterhout 1982): jobs take turns on the same GPUs, all ranks
// of one at a time.
//
// Time is cut into slices of one length for the whole cluster. A job that has run in an earlier
// slice may be suspended for one that waits; within a slice nobody is. Who waits, suspended or not
// yet started, is served in order of priority and then of how long it has waited. One that fits on
// free GPUs is started, or resumed on the GPUs it had; else jobs whose turn is over make room,
// those that have run longest first, but only of no higher priority, and only if that is enough.
//
// A suspended job's memory is taken to stay where it is: that the jobs of a GPU fit into it
// together is not checked. Switching costs nothing.
#include "schedulers/capacity.hpp"
#include "schedulers/plan.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace trainyard {

namespace {

struct Waiting {
  const Job* job;
  Seconds since;
  const RunningJob* suspended;  // null: it has not started
};

bool goes_first(const Waiting& a, const Waiting& b) {
  if (a.job->priority != b.job->priority) return a.job->priority > b.job->priority;
  return a.since < b.since;
}

std::vector<Waiting> waiting_in(const ClusterView& view) {
  std::vector<Waiting> waiting;
  waiting.reserve(view.suspended.size() + view.pending.size());
  for (const RunningJob& one : view.suspended) waiting.push_back({one.job, one.since, &one});
  for (const Job* job : view.pending) waiting.push_back({job, job->submit, nullptr});
  std::stable_sort(waiting.begin(), waiting.end(), goes_first);
  return waiting;
}

// One decision in the making.
class Turn {
public:
  Turn(const ClusterView& view, const Placement& placement, Seconds slice_began)
      : view_(view), plan_(view, placement) {
    for (const RunningJob& running : view.running)
      if (!running.releasing && running.since < slice_began) over_.push_back(&running);
    std::stable_sort(over_.begin(), over_.end(),
                     [](const RunningJob* a, const RunningJob* b) { return a->since < b->since; });
  }

  void serve(const Waiting& next) {
    if (next.suspended) return resume(*next.suspended);
    if (plan_.start_if_fits(*next.job)) return;
    const std::vector<const RunningJob*> leave = who_makes_room(*next.job);
    for (const RunningJob* running : leave) suspend(*running);
    if (!leave.empty()) plan_.start_if_fits(*next.job);
  }

  std::vector<Decision> take_decisions() { return plan_.take_decisions(); }

private:
  // Only if all of its own GPUs can be had.
  void resume(const RunningJob& suspended) {
    std::set<GpuId> missing;
    for (const GpuId gpu : suspended.allocation->gpus)
      if (!plan_.is_free(gpu)) missing.insert(gpu);
    std::vector<const RunningJob*> leave;
    for (const RunningJob* running : over_) {
      if (running->job->priority > suspended.job->priority) continue;
      const std::size_t before = missing.size();
      for (const GpuId gpu : running->allocation->gpus) missing.erase(gpu);
      if (missing.size() < before) leave.push_back(running);
    }
    if (!missing.empty()) return;
    for (const RunningJob* running : leave) suspend(*running);
    plan_.resume(suspended);
  }

  std::vector<const RunningJob*> who_makes_room(const Job& job) const {
    Capacity capacity(view_, plan_.free_per_node(), job.gpus_per_block);
    std::vector<const RunningJob*> leave;
    for (const RunningJob* running : over_) {
      if (capacity.holds(job)) break;
      if (running->job->priority > job.priority) continue;
      capacity.give(*running->allocation);
      leave.push_back(running);
    }
    if (!capacity.holds(job)) leave.clear();
    return leave;
  }

  void suspend(const RunningJob& running) {
    over_.erase(std::find(over_.begin(), over_.end(), &running));
    plan_.suspend(running);
  }

  const ClusterView& view_;
  Plan plan_;
  std::vector<const RunningJob*> over_;  // their turn is over: longest first
};

class Gang final : public SchedulingPolicy {
public:
  explicit Gang(Seconds slice) : slice_(slice) {}

  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    Turn turn(view, placement, slices(view.now) * slice_ - kRounding);
    for (const Waiting& next : waiting_in(view)) turn.serve(next);
    return turn.take_decisions();
  }

  // At the next slice, if anybody waits for it.
  Seconds wake(const ClusterView& view) const override {
    if (view.suspended.empty() && view.pending.empty()) return forever();
    return (slices(view.now) + 1) * slice_;
  }

private:
  static constexpr Seconds kRounding = microseconds(1);

  // That have begun since zero.
  double slices(Seconds now) const { return std::floor((now + kRounding) / slice_); }

  const Seconds slice_;
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_gang(const PolicyOptions& options) {
  return std::make_unique<Gang>(options.time_slice);
}

}  // namespace trainyard
