#include "schedulers/slurm/queue/queue.hpp"

#include "schedulers/slurm/preempt/preemption.hpp"
#include "schedulers/slurm/queue/dependencies.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

// The reason why the job may not even be looked at, or "".
std::string obstacle(const SlurmState& state, const JobRecord& record) {
  if (record.completing) return "Cleaning";
  if (record.held) return "JobHeldUser";
  if (record.begin > state.now) return "BeginTime";
  if (record.job->dependencies.empty()) return "";
  switch (dependencies_of(state, record)) {
    case DependencyState::Met:
      return "";
    case DependencyState::Waiting:
      return "Dependency";
    case DependencyState::NeverMet:
      return "DependencyNeverSatisfied";
  }
  return "";
}

class Order {
public:
  explicit Order(const SlurmState& state)
      : state_(state), preempts_(state.site.parameters.preempt_mode != PreemptMode::Off) {}

  bool operator()(const QueueEntry& a, const QueueEntry& b) const {
    const JobRecord& x = state_.job(a.job);
    const JobRecord& y = state_.job(b.job);
    if (preempts_) {
      if (outranks(state_, a, b)) return true;
      if (outranks(state_, b, a)) return false;
    }
    if (x.job->reservation.empty() != y.job->reservation.empty())
      return !x.job->reservation.empty();
    const int x_tier = state_.partition(a.partition).tier,
              y_tier = state_.partition(b.partition).tier;
    if (x_tier != y_tier) return x_tier > y_tier;
    if (a.priority != b.priority) return a.priority > b.priority;
    if (x.submitted != y.submitted) return x.submitted < y.submitted;
    if (x.number != y.number) return x.number < y.number;
    return x.task < y.task;
  }

private:
  const SlurmState& state_;
  bool preempts_;
};

// "Can preempt" need not be transitive, and then no order is right; merging never loses an entry.
void merge_sort(std::vector<QueueEntry>& entries, const Order& order) {
  if (entries.size() < 2) return;
  const auto middle = entries.begin() + static_cast<std::ptrdiff_t>(entries.size() / 2);
  std::vector<QueueEntry> left(entries.begin(), middle), right(middle, entries.end());
  merge_sort(left, order);
  merge_sort(right, order);
  std::merge(left.begin(), left.end(), right.begin(), right.end(), entries.begin(), order);
}

}  // namespace

bool array_has_room(const SlurmState& state, const JobRecord& record) {
  if (!record.is_task() || record.job->array_at_once == 0) return true;
  int busy = 0;
  for (const int index : state.records_of(record.job->id)) {
    const JobRecord& other = state.job(index);
    busy += other.running() || (other.completing && !other.pending()) ? 1 : 0;
  }
  return busy < record.job->array_at_once;
}

std::vector<QueueEntry> build_queue(SlurmState& state) {
  std::vector<QueueEntry> queue;
  for (const int index : state.pending) {
    JobRecord& record = state.job(index);
    record.preempt_in_progress = false;
    const std::string reason = obstacle(state, record);
    if (!reason.empty()) {
      if (record.reason != reason) record.reason = reason, state.changed();
      continue;
    }
    if (record.accrue == 0) record.accrue = std::max(record.begin, record.submitted);
    for (std::size_t i = 0; i < record.job->partitions.size(); ++i) {
      const int partition = record.job->partitions[i];
      if (!state.partition(partition).up) continue;
      queue.push_back({index, partition, record.priorities[i]});
    }
  }
  merge_sort(queue, Order(state));
  return queue;
}

}  // namespace trainyard::slurm
