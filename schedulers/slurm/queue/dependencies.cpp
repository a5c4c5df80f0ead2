#include "schedulers/slurm/queue/dependencies.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

bool ended(const JobRecord& record) { return record.state == JobState::Done; }
bool ended_well(const JobRecord& record) { return record.end_state == "COMPLETED"; }

// Jobs of one name and user run one at a time, in the order of submission.
DependencyState singleton(const SlurmState& state, const JobRecord& record) {
  for (const auto* indices : {&state.running, &state.pending})
    for (const int index : *indices) {
      const JobRecord& other = state.job(index);
      if (other.job->user != record.job->user || other.job->job_name != record.job->job_name)
        continue;
      if (index != record.index && (other.running() || other.number < record.number))
        return DependencyState::Waiting;
    }
  return DependencyState::Met;
}

DependencyState after(const SlurmState& state, const JobRecord& other, int minutes) {
  if (other.pending() && other.restarts == 0) return DependencyState::Waiting;
  return state.now >= other.start + 60 * static_cast<Time>(minutes) ? DependencyState::Met
                                                                    : DependencyState::Waiting;
}

DependencyState on_one(const SlurmState& state, const Dependency& dependency,
                       const JobRecord& other) {
  if (dependency.type == DependencyType::After)
    return after(state, other, dependency.minutes_after);
  if (!ended(other) || other.completing) return DependencyState::Waiting;
  const bool wants_good = dependency.type == DependencyType::AfterOk ||
                          dependency.type == DependencyType::AfterCorresponding;
  if (wants_good && !ended_well(other)) return DependencyState::NeverMet;
  if (dependency.type == DependencyType::AfterNotOk && ended_well(other))
    return DependencyState::NeverMet;
  return DependencyState::Met;
}

DependencyState on_all(const SlurmState& state, const JobRecord& record,
                       const Dependency& dependency) {
  if (dependency.type == DependencyType::Singleton) return singleton(state, record);
  DependencyState worst = DependencyState::Met;
  for (const int index : state.records_of(dependency.on)) {
    const JobRecord& other = state.job(index);
    const bool corresponds = dependency.type != DependencyType::AfterCorresponding ||
                             !record.is_task() || other.task == record.task;
    if (!corresponds) continue;
    const DependencyState one = on_one(state, dependency, other);
    if (one == DependencyState::NeverMet) return one;
    if (one == DependencyState::Waiting) worst = one;
  }
  return worst;
}

}  // namespace

DependencyState dependencies_of(const SlurmState& state, const JobRecord& record) {
  const std::vector<Dependency>& all = record.job->dependencies;
  int met = 0, never = 0;
  for (const Dependency& dependency : all) {
    const DependencyState one = on_all(state, record, dependency);
    met += one == DependencyState::Met ? 1 : 0;
    never += one == DependencyState::NeverMet ? 1 : 0;
  }
  const int count = static_cast<int>(all.size());
  if (met == count || (record.job->any_dependency && met > 0)) return DependencyState::Met;
  const bool lost = record.job->any_dependency ? never == count : never > 0;
  return lost ? DependencyState::NeverMet : DependencyState::Waiting;
}

}  // namespace trainyard::slurm
