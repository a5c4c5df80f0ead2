// A submission becomes records of the job table, or is refused.

#include "schedulers/slurm/controller/slurmctld.hpp"
#include "schedulers/slurm/queue/priority.hpp"
#include "schedulers/slurm/select/choose_nodes.hpp"

#include <algorithm>
#include <optional>

namespace trainyard::slurm {

namespace {

const SlurmAssociation& at(const SlurmAccounting& accounting, int index) {
  return accounting.associations[static_cast<std::size_t>(index)];
}

int association_of(const SlurmAccounting& accounting, const SlurmJob& job) {
  std::string account = job.account;
  if (account.empty()) {
    const auto found = accounting.default_accounts.find(job.user);
    if (found == accounting.default_accounts.end()) return -1;
    account = found->second;
  }
  return accounting.association_index(account, job.user);
}

// The association's own list, or its account's, or the account's above.
std::vector<std::string> allowed_qos(const SlurmAccounting& accounting, int association) {
  for (int index = association; index >= 0; index = at(accounting, index).parent)
    if (!at(accounting, index).qos.empty()) return at(accounting, index).qos;
  return {"normal"};
}

std::string default_qos(const SlurmAccounting& accounting, int association) {
  for (int index = association; index >= 0; index = at(accounting, index).parent)
    if (!at(accounting, index).default_qos.empty()) return at(accounting, index).default_qos;
  return "normal";
}

// Association and QOS; the reason of a refusal, or "".
std::string set_account(const SlurmSite& site, const SlurmJob& job, JobRecord& record) {
  if (!site.parameters.accounting) return "";
  const SlurmAccounting& accounting = site.accounting;
  record.association = association_of(accounting, job);
  if (record.association < 0) return site.parameters.enforce_associations ? "InvalidAccount" : "";
  const std::string name = job.qos.empty() ? default_qos(accounting, record.association) : job.qos;
  record.qos = accounting.qos_index(name);
  const std::vector<std::string> allowed = allowed_qos(accounting, record.association);
  const bool valid =
      record.qos >= 0 && std::find(allowed.begin(), allowed.end(), name) != allowed.end();
  return valid || !site.parameters.enforce_qos ? "" : "InvalidQOS";
}

std::string refusal_of(const SlurmSite& site, const SlurmJob& job) {
  if (job.nice < 0 && !job.operator_submits()) return "InvalidNice";
  int nodes = 0;
  for (const int partition : job.partitions)
    nodes = std::max(nodes, site.partitions[static_cast<std::size_t>(partition)].nodes.count());
  if (job.request.min_nodes > nodes) return "NodeCountInvalid";
  return unknown_feature(site, job.request.constraint).empty() ? "" : "InvalidFeature";
}

// Whether it fits into one of its partitions when nothing runs and every node is up.
bool could_ever_run(const SlurmSite& site, const JobRecord& record) {
  const SlurmJob& job = *record.job;
  return std::any_of(job.partitions.begin(), job.partitions.end(), [&](int index) {
    const SlurmPartition& partition = site.partitions[static_cast<std::size_t>(index)];
    NodeSet nodes = partition.nodes;
    if (job.request.excluded.size() > 0) nodes -= job.request.excluded;
    const NodeCounts counts = node_counts(partition, job.request);
    return fits_idle({site, partition, job.request, counts, record.features.get()}, nodes);
  });
}

}  // namespace

std::vector<int> Slurmctld::submit(const SlurmJob& job, double now, std::string& refusal) {
  set_time(now);
  JobRecord model;
  refusal = refusal_of(state_.site, job);
  if (refusal.empty()) refusal = set_account(state_.site, job, model);
  if (!refusal.empty()) return {};
  const SlurmPartition& partition = state_.partition(job.partitions.front());
  model.job = &job;
  model.features = feature_nodes(state_.site, job.request.constraint);
  if (!could_ever_run(state_.site, model)) return refusal = "BadConstraints", std::vector<int>();
  model.number = ++last_number_;
  model.partition = job.partitions.front();
  model.requeueable = job.requeue.value_or(state_.site.parameters.job_requeue);
  model.nice = job.nice;
  model.held = job.hold;
  model.submitted = state_.now;
  if (job.begin > 0) model.begin = static_cast<Time>(job.begin) + epoch_;
  model.time_limit = job.time_limit.value_or(partition.default_time);
  if (state_.site.parameters.priority.accrue_always) model.accrue = state_.now;
  if (model.held)
    model.priorities.assign(job.partitions.size(), 0);
  else
    set_first_priority(state_, model);
  std::vector<int> indices;
  const std::vector<int> tasks = job.array.empty() ? std::vector<int>{-1} : job.array;
  for (const int task : tasks) {
    JobRecord& record = state_.add_job();
    const int index = record.index;
    record = model;
    record.index = index;
    record.task = task;
    record.id = task < 0 ? job.id : job.id + "_" + std::to_string(task);
    state_.name_record(record);
    indices.push_back(index);
  }
  queue_pass();
  state_.changed();
  return indices;
}

}  // namespace trainyard::slurm
