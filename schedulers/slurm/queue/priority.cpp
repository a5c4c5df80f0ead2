#include "schedulers/slurm/queue/priority.hpp"

#include "schedulers/slurm/queue/fair_tree.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard::slurm {

namespace {

double age_of(const SlurmState& state, const JobRecord& record) {
  const PrioritySettings& settings = state.site.parameters.priority;
  // Slurm starts counting once the job may run; without accounting nobody counts.
  if (!state.site.parameters.accounting || record.accrue == 0 || settings.max_age <= 0) return 0;
  const double age = static_cast<double>(state.now - record.accrue) / settings.max_age;
  return std::clamp(age, 0.0, 1.0);
}

double size_of(const SlurmState& state, const JobRecord& record) {
  const PrioritySettings& settings = state.site.parameters.priority;
  double cluster_cpus = 0;
  for (const SlurmNode& node : state.site.nodes) cluster_cpus += node.cpus();
  const double all_nodes = state.site.node_count();
  const double nodes = record.job->request.min_nodes;
  const double cpus = tres_of(record.job->request, record.job->request.min_nodes).cpus;
  if (settings.small_relative_to_time) {
    double size = std::max(nodes * cluster_cpus / all_nodes, cpus);
    size = size / std::max(record.time_limit, 1) / cluster_cpus;
    return std::clamp(settings.favor_small ? 1 - size : size, 0.0, 1.0);
  }
  const double size = 0.5 * (nodes / all_nodes + cpus / cluster_cpus);
  return settings.favor_small ? 1 - size : size;
}

double partition_factor(const SlurmState& state, int partition) {
  const double factor = state.partition(partition).job_factor;
  if (state.site.parameters.priority.raw_partition) return factor;
  double most = 0;
  for (const SlurmPartition& each : state.site.partitions)
    most = std::max(most, static_cast<double>(each.job_factor));
  return most > 0 ? factor / most : 0;
}

double qos_factor(const SlurmState& state, const JobRecord& record) {
  const SlurmQos* qos = state.qos(record);
  if (!qos) return 0;
  if (state.site.parameters.priority.raw_qos) return qos->priority;
  double most = 0;
  for (const SlurmQos& each : state.site.accounting.qos) most = std::max(most, each.priority);
  return most > 0 ? qos->priority / most : 0;
}

double association_factor(const SlurmState& state, const JobRecord& record) {
  if (record.association < 0) return 0;
  double most = 0;
  const auto& all = state.site.accounting.associations;
  for (const SlurmAssociation& each : all) most = std::max(most, each.priority);
  return most > 0 ? all[static_cast<std::size_t>(record.association)].priority / most : 0;
}

double tres_term(const SlurmState& state, const JobRecord& record, int partition) {
  const PrioritySettings& settings = state.site.parameters.priority;
  if (settings.tres.empty()) return 0;
  TresCount all;
  state.partition(partition).nodes.each([&](int node) {
    const SlurmNode& each = state.site.nodes[static_cast<std::size_t>(node)];
    all.cpus += each.cpus(), all.gpus += each.gpus(), ++all.nodes;
    all.memory += static_cast<double>(each.memory);
  });
  const TresCount asked = tres_of(record.job->request, record.job->request.min_nodes);
  double sum = 0;
  for (const auto& [name, weight] : settings.tres)
    if (all.of(name) > 0) sum += weight * asked.of(name) / all.of(name);
  return sum;
}

void set_priorities(const SlurmState& state, JobRecord& record) {
  const bool only_up = state.site.parameters.priority.increase_only;
  record.priorities.resize(record.job->partitions.size());
  for (std::size_t i = 0; i < record.priorities.size(); ++i) {
    const double priority = priority_factors(state, record, record.job->partitions[i]).sum();
    record.priorities[i] = only_up ? std::max(record.priorities[i], priority) : priority;
  }
}

}  // namespace

double PriorityFactors::sum() const {
  const double all = age + association + fairshare + job_size + partition + qos + tres - nice;
  return std::clamp(std::floor(all), 1.0, 4294967295.0);
}

PriorityFactors priority_factors(const SlurmState& state, const JobRecord& record, int partition) {
  const PrioritySettings& weights = state.site.parameters.priority;
  PriorityFactors factors;
  factors.age = weights.age * age_of(state, record);
  factors.association = weights.association * association_factor(state, record);
  if (record.association >= 0 && !state.shares.empty())
    factors.fairshare =
        weights.fairshare * state.shares[static_cast<std::size_t>(record.association)];
  factors.job_size = weights.job_size * size_of(state, record);
  factors.partition = weights.partition * partition_factor(state, partition);
  factors.qos = weights.qos * qos_factor(state, record);
  factors.tres = tres_term(state, record, partition);
  factors.nice = record.nice;
  return factors;
}

std::vector<double> fair_shares(const SlurmState& state) {
  const auto& associations = state.site.accounting.associations;
  if (!state.site.parameters.accounting) return {};
  std::vector<double> raw(associations.size());
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = state.usage.raw(static_cast<int>(i));
  return fair_tree(associations, raw);
}

void set_first_priority(SlurmState& state, JobRecord& record) {
  if (state.site.parameters.priority.multifactor) return set_priorities(state, record);
  state.lowest_priority -= 1;
  record.priorities.assign(record.job->partitions.size(), state.lowest_priority - record.nice);
}

void recompute_priorities(SlurmState& state) {
  std::vector<const JobRecord*> running;
  for (const int index : state.running) running.push_back(&state.job(index));
  state.usage.charge(state.site, running, state.now);
  state.shares = fair_shares(state);
  for (const int index : state.pending) {
    JobRecord& record = state.job(index);
    if (!record.held) set_priorities(state, record);
  }
  state.changed();
}

}  // namespace trainyard::slurm
