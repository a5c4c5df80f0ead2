#include "schedulers/slurm/accounts/usage.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard::slurm {

namespace {

void add(InUse& use, const TresCount& tres) { ++use.jobs, use.tres += tres; }
void subtract(InUse& use, const TresCount& tres) { --use.jobs, use.tres -= tres; }

template <class Visit>
void up_the_tree(const SlurmSite& site, int association, Visit visit) {
  for (int at = association; at >= 0;
       at = site.accounting.associations[static_cast<std::size_t>(at)].parent)
    visit(at);
}

// What remains of use after so many seconds. Slurm's factor, not 2^(-t/half life).
double decay(const SlurmSite& site, double seconds) {
  const int half_life = site.parameters.priority.decay_half_life;
  return half_life > 0 ? std::pow(1 - 0.693 / half_life, seconds) : 1;
}

}  // namespace

double TresCount::of(const std::string& tres) const {
  if (tres == "cpu") return cpus;
  if (tres == "node") return nodes;
  if (tres == "mem") return memory;
  return tres.rfind("gres/gpu", 0) == 0 ? gpus : 0;
}

TresCount& TresCount::operator+=(const TresCount& other) {
  cpus += other.cpus, nodes += other.nodes, gpus += other.gpus, memory += other.memory;
  return *this;
}

TresCount& TresCount::operator-=(const TresCount& other) {
  cpus -= other.cpus, nodes -= other.nodes, gpus -= other.gpus, memory -= other.memory;
  return *this;
}

TresCount tres_of(const Allocation& allocation) {
  TresCount tres;
  tres.nodes = static_cast<double>(allocation.shares.size());
  for (const NodeShare& share : allocation.shares) {
    tres.cpus += share.cpus, tres.gpus += gpu_count(share.gpus);
    tres.memory += static_cast<double>(share.memory);
  }
  return tres;
}

TresCount tres_of(const Request& request, int nodes) {
  TresCount tres;
  tres.nodes = nodes;
  tres.cpus = std::max(request.min_cpus(), nodes * request.cpus_on_a_node());
  tres.gpus = request.gpus_total > 0 ? request.gpus_total : nodes * request.gpus_per_node;
  tres.memory = request.memory_per_node > 0
                    ? static_cast<double>(request.memory_per_node) * nodes
                    : static_cast<double>(request.memory_per_cpu) * tres.cpus;
  return tres;
}

double billing_of(const SlurmSite& site, const SlurmPartition& partition, const TresCount& tres) {
  if (partition.billing_weights.empty()) return tres.cpus;
  double sum = 0, most = 0;
  for (const auto& [name, weight] : partition.billing_weights) {
    sum += weight * tres.of(name);
    most = std::max(most, weight * tres.of(name));
  }
  return site.parameters.priority.max_tres ? most : sum;
}

AccountUsage::AccountUsage(const SlurmSite& site)
    : associations_(site.accounting.associations.size()),
      qos_(site.accounting.qos.size()),
      raw_(site.accounting.associations.size()) {}

void AccountUsage::started(const SlurmSite& site, const JobRecord& record) {
  const TresCount tres = tres_of(record.allocation);
  up_the_tree(site, record.association,
              [&](int at) { add(associations_[static_cast<std::size_t>(at)], tres); });
  if (record.qos < 0) return;
  add(qos_[static_cast<std::size_t>(record.qos)], tres);
  add(qos_users_[{record.qos, record.job->user}], tres);
}

void AccountUsage::ended(const SlurmSite& site, const JobRecord& record) {
  const TresCount tres = tres_of(record.allocation);
  up_the_tree(site, record.association,
              [&](int at) { subtract(associations_[static_cast<std::size_t>(at)], tres); });
  if (record.qos < 0) return;
  subtract(qos_[static_cast<std::size_t>(record.qos)], tres);
  subtract(qos_users_[{record.qos, record.job->user}], tres);
}

InUse AccountUsage::qos_user(int qos, const std::string& user) const {
  const auto found = qos_users_.find({qos, user});
  return found == qos_users_.end() ? InUse() : found->second;
}

void AccountUsage::add_raw(const SlurmSite& site, const JobRecord& record, Time until) {
  const auto seconds = static_cast<double>(until - std::max(record.start, charged_));
  if (seconds <= 0 || record.association < 0) return;
  const auto& partition = site.partitions[static_cast<std::size_t>(record.partition)];
  const double factor =
      record.qos < 0 ? 1 : site.accounting.qos[static_cast<std::size_t>(record.qos)].usage_factor;
  const double used = seconds * decay(site, seconds) * factor *
                      billing_of(site, partition, tres_of(record.allocation));
  up_the_tree(site, record.association,
              [&](int at) { raw_[static_cast<std::size_t>(at)] += used; });
}

void AccountUsage::charge(const SlurmSite& site, const std::vector<const JobRecord*>& running,
                          Time now) {
  const double factor = decay(site, static_cast<double>(now - charged_));
  for (double& raw : raw_) raw *= factor;
  for (const JobRecord* record : running) add_raw(site, *record, now);
  charged_ = now;
}

void AccountUsage::charge_end(const SlurmSite& site, const JobRecord& record, Time now) {
  add_raw(site, record, now);
}

}  // namespace trainyard::slurm
