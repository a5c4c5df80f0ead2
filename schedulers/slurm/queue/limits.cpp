#include "schedulers/slurm/queue/limits.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard::slurm {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "AssocGrpGRES", "QOSGrpCpuLimit": as Slurm names them.
std::string tres_reason(const std::string& prefix, const std::string& tres) {
  if (tres.rfind("gres/", 0) == 0) return prefix + "GRES";
  if (tres == "cpu") return prefix + "CpuLimit";
  if (tres == "node") return prefix + "NodeLimit";
  if (tres == "mem") return prefix + "MemLimit";
  return prefix + "Limit";
}

std::string beyond(const TresLimits& limits, const TresCount& wanted, const TresCount& used,
                   const std::string& prefix) {
  for (const auto& [tres, limit] : limits)
    if (wanted.of(tres) + used.of(tres) > limit) return tres_reason(prefix, tres);
  return "";
}

const SlurmAssociation& association_at(const SlurmState& state, int index) {
  return state.site.accounting.associations[static_cast<std::size_t>(index)];
}

// A user's own limit stands before that of the account above it.
std::string association_jobs(const SlurmState& state, const JobRecord& record) {
  bool own = true, limited = false;
  for (int at = record.association; at >= 0; at = association_at(state, at).parent) {
    const SlurmLimits& limits = association_at(state, at).limits;
    const int jobs = state.usage.association(at).jobs;
    if (limits.grp_jobs && jobs >= *limits.grp_jobs) return "AssocGrpJobsLimit";
    if (!limited && limits.max_jobs) {
      limited = true;
      const int mine = own ? jobs : state.usage.association(record.association).jobs;
      if (mine >= *limits.max_jobs) return "AssocMaxJobsLimit";
    }
    own = false;
  }
  return "";
}

std::string qos_jobs(const SlurmState& state, const JobRecord& record, int qos,
                     const char* prefix) {
  const SlurmLimits& limits = state.site.accounting.qos[static_cast<std::size_t>(qos)].limits;
  if (limits.grp_jobs && state.usage.qos(qos).jobs >= *limits.grp_jobs)
    return std::string(prefix) + "GrpJobsLimit";
  if (limits.max_jobs && state.usage.qos_user(qos, record.job->user).jobs >= *limits.max_jobs)
    return std::string(prefix) + "MaxJobsPerUserLimit";
  if (limits.max_wall && record.time_limit > *limits.max_wall)
    return std::string(prefix) + "MaxWallDurationPerJobLimit";
  return "";
}

std::string qos_tres(const SlurmState& state, const JobRecord& record, int qos,
                     const TresCount& wanted) {
  const SlurmLimits& limits = state.site.accounting.qos[static_cast<std::size_t>(qos)].limits;
  std::string reason = beyond(limits.grp_tres, wanted, state.usage.qos(qos).tres, "QOSGrp");
  if (reason.empty()) reason = beyond(limits.max_tres_per_job, wanted, {}, "QOSMax");
  if (reason.empty())
    reason = beyond(limits.max_tres_per_user, wanted,
                    state.usage.qos_user(qos, record.job->user).tres, "QOSMax");
  return reason;
}

// The partition's QOS limits beside the job's own.
int partition_qos(const SlurmState& state, const JobRecord& record) {
  return state.site.accounting.qos_index(state.partition(record.partition).qos);
}

}  // namespace

std::string limit_before_selection(const SlurmState& state, const JobRecord& record) {
  if (!state.site.parameters.enforce_limits) return "";
  if (const int qos = partition_qos(state, record); qos >= 0) {
    const std::string reason = qos_jobs(state, record, qos, "QOS");
    if (!reason.empty()) return reason;
  }
  if (record.qos >= 0) {
    const std::string reason = qos_jobs(state, record, record.qos, "QOS");
    if (!reason.empty()) return reason;
  }
  return association_jobs(state, record);
}

std::string limit_after_selection(const SlurmState& state, const JobRecord& record,
                                  const TresCount& wanted) {
  if (!state.site.parameters.enforce_limits) return "";
  if (const int qos = partition_qos(state, record); qos >= 0) {
    const std::string reason = qos_tres(state, record, qos, wanted);
    if (!reason.empty()) return reason;
  }
  if (record.qos >= 0) {
    const std::string reason = qos_tres(state, record, record.qos, wanted);
    if (!reason.empty()) return reason;
  }
  for (int at = record.association; at >= 0; at = association_at(state, at).parent) {
    const SlurmLimits& limits = association_at(state, at).limits;
    std::string reason =
        beyond(limits.grp_tres, wanted, state.usage.association(at).tres, "AssocGrp");
    if (reason.empty()) reason = beyond(limits.max_tres_per_job, wanted, {}, "AssocMax");
    if (!reason.empty()) return reason;
  }
  return "";
}

bool may_use(const SlurmState& state, const JobRecord& record, int index) {
  const SlurmPartition& partition = state.partition(index);
  const SlurmQos* qos = state.qos(record);
  if (qos && !partition.allow_qos.empty() && !has(partition.allow_qos, qos->name)) return false;
  if (qos && has(partition.deny_qos, qos->name)) return false;
  const std::string& account = record.job->account;
  if (!partition.allow_accounts.empty() && !has(partition.allow_accounts, account)) return false;
  return !has(partition.deny_accounts, account);
}

}  // namespace trainyard::slurm
