// Dynamic equipartitioning (McCann, Vaswani and Zahorjan 1993) within each job's bounds: elastic
// jobs grow into idle GPUs and shrink so that those who wait can start.
//
// Who waits is served in queue order, nobody overtakes. A job starts if its smallest size fits;
// what is left then goes, one size at a time, to the job with the fewest GPUs, be it one that
// starts now or one that runs. When the first of the queue does not fit, running elastic jobs give
// GPUs up, one size at a time, those with the most first, none below its smallest size; if all of
// that is not enough, nobody shrinks for it. A job that is not elastic has one size.
//
// A resize costs time, so a running job grows only when nobody waits, nobody is leaving, and it has
// run for `grow_after` since its last start. Shrinking is for others, and does not wait.
#include "schedulers/capacity.hpp"
#include "schedulers/plan.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace trainyard {

namespace {

constexpr Seconds kRounding = microseconds(1);

// The sizes around one; the same if there is none beyond.
int larger(const Job& job, int gpus) {
  const auto next = std::upper_bound(job.sizes.begin(), job.sizes.end(), gpus);
  return next == job.sizes.end() ? gpus : *next;
}
int smaller(const Job& job, int gpus) {
  const auto here = std::lower_bound(job.sizes.begin(), job.sizes.end(), gpus);
  return here == job.sizes.begin() ? gpus : *(here - 1);
}
int smallest(const Job& job) { return job.sizes.empty() ? job.gpus : job.sizes.front(); }

// One decision in the making.
class Division {
public:
  Division(const ClusterView& view, const Placement& placement)
      : view_(view), plan_(view, placement), left_(view.free_gpus) {}

  std::vector<Decision> decide(Seconds grow_after) {
    admit();
    if (!blocked_ && nobody_leaves()) join_running(grow_after);
    if (!blocked_) raise();
    start();
    if (blocked_)
      make_room(*blocked_);
    else
      grow();
    return plan_.take_decisions();
  }

private:
  struct Part {
    const Job* job;
    const RunningJob* running;  // null: it starts now
    int gpus;
  };

  // Jobs that left to be resized first: they go on with what they were to have, or with less.
  void admit() {
    std::vector<const Job*> queue = view_.pending;
    std::stable_partition(queue.begin(), queue.end(),
                          [this](const Job* job) { return view_.resizing.count(job->id) > 0; });
    for (const Job* job : queue) {
      const auto target = view_.resizing.find(job->id);
      int gpus = target == view_.resizing.end() ? smallest(*job) : target->second;
      while (gpus > left_ && smaller(*job, gpus) < gpus) gpus = smaller(*job, gpus);
      if (gpus > left_) {
        blocked_ = job;
        return;
      }
      left_ -= gpus;
      parts_.push_back({job, nullptr, gpus});
    }
  }

  bool nobody_leaves() const {
    return std::none_of(view_.running.begin(), view_.running.end(),
                        [](const RunningJob& running) { return running.releasing; });
  }

  void join_running(Seconds grow_after) {
    for (const RunningJob& running : view_.running)
      if (!running.job->sizes.empty() && running.since + grow_after <= view_.now + kRounding)
        parts_.push_back({running.job, &running, size_of(running)});
  }

  static int size_of(const RunningJob& running) {
    return static_cast<int>(running.allocation->gpus.size());
  }

  void raise() {
    while (Part* next = poorest()) {
      const int gpus = larger(*next->job, next->gpus);
      left_ -= gpus - next->gpus;
      next->gpus = gpus;
    }
  }

  // Of those that can be raised.
  Part* poorest() {
    Part* found = nullptr;
    for (Part& part : parts_) {
      const int more = larger(*part.job, part.gpus) - part.gpus;
      if (more == 0 || more > left_) continue;
      if (!found || part.gpus < found->gpus) found = &part;
    }
    return found;
  }

  // Blocks may leave less room than there are GPUs.
  void start() {
    for (const Part& part : parts_) {
      if (part.running) continue;
      int gpus = part.gpus;
      while (!plan_.fits_with(*part.job, gpus) && smaller(*part.job, gpus) < gpus)
        gpus = smaller(*part.job, gpus);
      if (plan_.start_with(*part.job, gpus)) continue;
      blocked_ = part.job;
      return;
    }
  }

  void grow() {
    for (const Part& part : parts_) {
      if (!part.running || part.gpus == size_of(*part.running)) continue;
      Capacity capacity(view_, plan_.free_per_node(), part.job->gpus_per_block);
      capacity.give(*part.running->allocation);
      if (capacity.blocks() * part.job->gpus_per_block >= part.gpus)
        plan_.resize(*part.running, part.gpus);
    }
  }

  // Counts which GPUs come back as if a job that shrinks kept the first of its ranks.
  void make_room(const Job& job) {
    const int wanted = smallest(job) / job.gpus_per_block;
    Capacity capacity(view_, plan_.free_per_node(), job.gpus_per_block);
    std::vector<Part> rich;
    for (const RunningJob& running : view_.running) {
      const int size = size_of(running);
      if (running.releasing)
        give_back(running, size, kept_by(running), capacity);
      else if (smaller(*running.job, size) < size)
        rich.push_back({running.job, &running, size});
    }
    while (capacity.blocks() < wanted) {
      const auto next = std::max_element(rich.begin(), rich.end(), [](auto& a, auto& b) {
        return can_give(a) != can_give(b) ? can_give(b) : a.gpus < b.gpus;
      });
      if (next == rich.end() || !can_give(*next)) return;
      const int gpus = smaller(*next->job, next->gpus);
      give_back(*next->running, next->gpus, gpus, capacity);
      next->gpus = gpus;
    }
    for (const Part& part : rich)
      if (part.gpus < size_of(*part.running)) plan_.resize(*part.running, part.gpus);
  }

  static bool can_give(const Part& part) { return smaller(*part.job, part.gpus) < part.gpus; }

  int kept_by(const RunningJob& releasing) const {
    const auto target = view_.resizing.find(releasing.job->id);
    return target == view_.resizing.end() ? 0 : std::min(target->second, size_of(releasing));
  }

  static void give_back(const RunningJob& running, int from, int to, Capacity& capacity) {
    const auto gpu = running.allocation->gpus.begin();
    capacity.give({{gpu + to, gpu + from}});
  }

  const ClusterView& view_;
  Plan plan_;
  int left_;  // GPUs that nobody is to have yet
  std::vector<Part> parts_;
  const Job* blocked_ = nullptr;  // the first of the queue that does not fit
};

class Elastic final : public SchedulingPolicy {
public:
  explicit Elastic(Seconds grow_after) : grow_after_(grow_after) {}

  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    return Division(view, placement).decide(grow_after_);
  }

  bool resizes() const override { return true; }

  // When the next running job may grow.
  Seconds wake(const ClusterView& view) const override {
    Seconds next = forever();
    if (view.free_gpus == 0 || !view.pending.empty()) return next;
    for (const RunningJob& running : view.running) {
      const auto size = static_cast<int>(running.allocation->gpus.size());
      const Seconds due = running.since + grow_after_;
      if (!running.releasing && larger(*running.job, size) > size && due > view.now + kRounding)
        next = std::min(next, due);
    }
    return next;
  }

private:
  const Seconds grow_after_;
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_elastic(const PolicyOptions& options) {
  return std::make_unique<Elastic>(options.grow_after);
}

}  // namespace trainyard
