#include "schedulers/slurm/site/conf/partition_line.hpp"

#include "base/text.hpp"
#include "schedulers/slurm/site/conf/record_fields.hpp"
#include "schedulers/slurm/site/conf/settings.hpp"

#include <cctype>

namespace trainyard::slurm {

namespace {

void add_nodes(NodeSet& nodes, const ConfOption& option, const SlurmSite& site,
               const std::vector<std::string>& names, const NodeSetNames& sets) {
  for (const std::string& name : names) {
    const auto set = sets.find(name);
    if (set != sets.end()) {
      add_nodes(nodes, option, site, set->second, {});
      continue;
    }
    const int node = site.node_index(name);
    if (node < 0) {
      std::vector<std::string> known;
      for (const SlurmNode& each : site.nodes) known.push_back(each.name);
      const std::string near = near_match(name, known);
      throw InputError(option.value_place, option.key,
                       "no NodeName line names '" + name + "'" +
                           (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    nodes.add(node);
  }
}

void take_sharing(SlurmPartition& partition, const ConfOption& option) {
  const std::size_t colon = option.value.find(':');
  const std::string word = option.value.substr(0, colon);
  const auto count = colon == std::string::npos ? std::optional<std::int64_t>(4)
                                                : parse_integer(option.value.substr(colon + 1));
  if (!count || *count < 1 || *count > 1000)
    throw value_error(option, "must have a count after ':'");
  partition.exclusive = same_key(word, "EXCLUSIVE");
  partition.share_forced = same_key(word, "FORCE");
  partition.share = partition.share_forced || same_key(word, "YES") ? static_cast<int>(*count) : 1;
  if (!partition.exclusive && !partition.share_forced && !same_key(word, "YES") &&
      !same_key(word, "NO"))
    throw value_error(option, "must be NO, EXCLUSIVE, YES[:n] or FORCE[:n]");
}

void take_limits(SlurmPartition& partition, RecordFields& fields) {
  if (const auto* option = fields.find("MaxTime")) partition.max_time = minutes_of(*option);
  if (const auto* option = fields.find("DefaultTime")) partition.default_time = minutes_of(*option);
  if (const auto* option = fields.find("MinNodes")) partition.min_nodes = int_of(*option);
  if (const auto* option = fields.find("MaxNodes"))
    partition.max_nodes = count_or_unlimited(*option);
  if (const auto* option = fields.find("MaxCPUsPerNode"))
    partition.max_cpus_per_node = count_or_unlimited(*option);
  if (const auto* option = fields.find("OverTimeLimit"))
    partition.over_time_limit = count_or_unlimited(*option);
  if (const auto* option = fields.find("GraceTime")) partition.grace = int_of(*option);
}

void take_access(SlurmPartition& partition, RecordFields& fields) {
  if (const auto* option = fields.find("QOS")) partition.qos = option->value;
  if (const auto* option = fields.find("AllowQos"))
    if (!same_key(option->value, "ALL")) partition.allow_qos = words_of(*option);
  if (const auto* option = fields.find("DenyQos")) partition.deny_qos = words_of(*option);
  if (const auto* option = fields.find("AllowAccounts"))
    if (!same_key(option->value, "ALL")) partition.allow_accounts = words_of(*option);
  if (const auto* option = fields.find("DenyAccounts")) partition.deny_accounts = words_of(*option);
}

void take_priority(SlurmPartition& partition, RecordFields& fields) {
  if (const auto* option = fields.find("Priority"))
    partition.tier = partition.job_factor = int_of(*option);
  if (const auto* option = fields.find("PriorityTier")) partition.tier = int_of(*option);
  if (const auto* option = fields.find("PriorityJobFactor")) partition.job_factor = int_of(*option);
  if (const auto* option = fields.find("PreemptMode"))
    partition.preempt_mode = preempt_mode_of(*option, nullptr);
  if (const auto* option = fields.find("TRESBillingWeights"))
    for (const std::string& word : words_of(*option)) {
      const std::size_t equals = word.find('=');
      const std::string number = equals == std::string::npos ? "" : word.substr(equals + 1);
      const std::size_t digits = number.find_first_not_of("0123456789.");
      const auto weight = parse_double(number.substr(0, digits));
      if (!weight) throw value_error(*option, "must be TRES=weight, ...");
      std::string name = word.substr(0, equals);
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      partition.billing_weights[name] = *weight;
    }
}

}  // namespace

void take_partition_options(SlurmPartition& partition, const ConfRecord& record,
                            const SlurmSite& site, const NodeSetNames& sets) {
  RecordFields fields(record);
  fields.find("PartitionName");
  take_limits(partition, fields);
  take_access(partition, fields);
  take_priority(partition, fields);
  if (const auto* option = fields.find("Default")) partition.is_default = yes_of(*option);
  if (const auto* option = fields.find("ExclusiveTopo"))
    partition.exclusive_topology = yes_of(*option);
  if (const auto* option = fields.find("LLN")) partition.lln = yes_of(*option);
  if (const auto* option = fields.find("State")) partition.up = same_key(option->value, "UP");
  if (const auto* option = fields.find("Shared")) take_sharing(partition, *option);
  if (const auto* option = fields.find("OverSubscribe")) take_sharing(partition, *option);
  if (const auto* option = fields.find("Nodes")) {
    if (same_key(option->value, "ALL"))
      partition.nodes = NodeSet::all(site.node_count());
    else
      add_nodes(partition.nodes, *option, site, hosts_of(*option), sets);
  }
  fields.ignore({"AllocNodes",           "AllowGroups",   "Alternate",      "CpuBind",
                 "DefCPUPerGPU",         "DefMemPerCPU",  "DefMemPerGPU",   "DefMemPerNode",
                 "DisableRootJobs",      "ExclusiveUser", "Hidden",         "MaxMemPerCPU",
                 "MaxMemPerNode",        "RootOnly",      "ReqResv",        "ResumeTimeout",
                 "SelectTypeParameters", "SuspendTime",   "SuspendTimeout", "MaxCPUsPerSocket",
                 "PowerDownOnIdle",      "Topology",      "Exclusive",      "JobDefaults"});
  fields.finish();
}

}  // namespace trainyard::slurm
